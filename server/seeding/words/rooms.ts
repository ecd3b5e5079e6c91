/** The names of rooms, without the number that follows. */
export const topics: readonly string[] = [
  ...["Quarterly review", "Weekly planning", "Design critique", "All hands", "Job interview"],
  ...["Budget", "Customer call", "Retrospective", "Support desk", "Onboarding", "Book club"],
  ...["Besprechung Einkauf", "Schülersprechstunde", "Übergabe Nachtschicht", "Prüfungsgespräch"],
  ...["Réunion d'équipe", "Entretien d'embauche", "Conseil de classe", "Point hebdomadaire"],
  ...["Reunión de padres", "Tutoría de español", "Atención al cliente", "Revisión técnica"],
  ...["Przegląd tygodnia", "Rozmowa kwalifikacyjna", "Haftalık değerlendirme", "Çocuk kliniği"],
  ...["Εβδομαδιαία σύσκεψη", "Ώρες γραφείου", "Συνέντευξη", "Μάθημα ελληνικών"],
  ...["Совещание отдела", "Урок русского языка", "Щотижнева нарада", "Приймальня лікаря"],
  ...["اجتماع الفريق", "درس اللغة العربية", "مراجعة الميزانية", "عيادة الأطفال"],
  ...["ישיבת צוות", "שיעור עברית", "ראיון עבודה", "תמיכה טכנית"],
  ...["साप्ताहिक बैठक", "हिन्दी कक्षा", "परियोजना समीक्षा", "ग्राहक सहायता"],
  ...["季度总结", "产品评审会", "中文课堂", "客戶服務"],
  ...["定例会議", "日本語レッスン", "採用面接", "企画レビュー"],
  ...["주간 회의", "한국어 수업", "채용 면접", "고객 상담"],
];

/** Some names have a place before the number. */
export const sites: readonly string[] = [
  ...["Berlin", "São Paulo", "Αθήνα", "Київ", "القاهرة", "חיפה", "पुणे", "北京", "東京", "부산"],
];

export const agendas: readonly string[] = [
  "1. What changed since last time\n2. What stands in the way\n3. Who does what until when",
  "Bitte die Unterlagen vorher lesen. Fragen sammeln wir am Anfang.",
  "Ordre du jour : accueil, bilan, questions diverses.",
  "Σύντομη ενημέρωση και ερωτήσεις.",
  "Повестка: итоги, планы, вопросы.",
  "جدول الأعمال: المراجعة ثم الأسئلة.",
  "सभी प्रतिभागी पाँच मिनट पहले जुड़ें।",
  "議題:進捗の共有、課題、次回まで。",
];
