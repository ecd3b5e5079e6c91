/** Names of one script, each with its form in an email address. */
interface Names {
  readonly given: readonly Name[];
  readonly family: readonly Name[];
  /** The family name comes first, without a space after it. */
  readonly familyFirst?: true;
}

export interface Name {
  readonly written: string;
  readonly ascii: string;
}

/** "Zoë zoe, Jürgen juergen": a name as it is written, then in an address. */
const names = (pairs: string): readonly Name[] =>
  pairs.split(", ").map((pair) => {
    const [written = "", ascii = ""] = pair.split(" ");
    return { written, ascii };
  });

const latin: Names = {
  given: names(
    "Zoë zoe, Jürgen juergen, Siobhán siobhan, François francois, Łukasz lukasz, Ángela angela, Bjørn bjorn, Þóra thora, Çağla cagla, Ondřej ondrej, Nguyệt nguyet, João joao, Åsa asa, Krešimir kresimir, Maëlle maelle, Ágnes agnes, Ann ann, Daniel daniel, Grace grace, Tomás tomas",
  ),
  family: names(
    "Müller mueller, Ó'Brien obrien, Lefèvre lefevre, Wójcik wojcik, Núñez nunez, Sørensen sorensen, Guðmundsdóttir gudmundsdottir, Yıldırım yildirim, Dvořák dvorak, Trần tran, Gonçalves goncalves, Öberg oberg, Đurić duric, Weiß weiss, Szabó szabo, Lee lee, Okafor okafor, Smith smith, Peña pena, Bērziņš berzins",
  ),
};

const greek: Names = {
  given: names(
    "Δήμητρα dimitra, Γιώργος giorgos, Ελένη eleni, Νίκος nikos, Κατερίνα katerina, Σπύρος spyros, Ιωάννα ioanna, Θανάσης thanasis, Αγγελική angeliki, Χρήστος christos",
  ),
  family: names(
    "Παπαδόπουλος papadopoulos, Νικολάου nikolaou, Γεωργίου georgiou, Οικονόμου oikonomou, Αλεξίου alexiou, Μακρής makris, Δημητρίου dimitriou, Βασιλείου vasileiou, Χατζής chatzis, Ζαφείρης zafeiris",
  ),
};

const cyrillic: Names = {
  given: names(
    "Оксана oksana, Дмитрий dmitriy, Єлизавета yelyzaveta, Сергей sergey, Љиљана ljiljana, Иван ivan, Наталія nataliya, Георги georgi, Алёна alyona, Владимир vladimir",
  ),
  family: names(
    "Шевченко shevchenko, Иванова ivanova, Петровић petrovic, Димитров dimitrov, Кузнецов kuznetsov, Ковальчук kovalchuk, Јовановић jovanovic, Соловьёва solovyova, Бойко boyko, Николов nikolov",
  ),
};

const arabic: Names = {
  given: names(
    "فاطمة fatima, محمد mohammed, ليلى layla, يوسف youssef, مريم maryam, خالد khaled, نور nour, عمر omar, سلمى salma, إبراهيم ibrahim",
  ),
  family: names(
    "الحسن alhassan, منصور mansour, حداد haddad, الشامي alshami, نصار nassar, القاسم alqasim, عباس abbas, خليل khalil, سليمان suleiman, درويش darwish",
  ),
};

const hebrew: Names = {
  given: names(
    "שירה shira, דוד david, נועה noa, יונתן yonatan, מיכל michal, אורי uri, תמר tamar, איתן eitan, רחל rachel, עמית amit",
  ),
  family: names(
    "כהן cohen, לוי levi, מזרחי mizrahi, פרץ peretz, ביטון biton, אברהם avraham, פרידמן friedman, שפירא shapira, גולן golan, ברק barak",
  ),
};

const devanagari: Names = {
  given: names(
    "अनिता anita, राहुल rahul, प्रिया priya, विक्रम vikram, सुनीता sunita, अर्जुन arjun, कविता kavita, संजय sanjay, मीरा meera, आदित्य aditya",
  ),
  family: names(
    "शर्मा sharma, पटेल patel, सिंह singh, गुप्ता gupta, वर्मा verma, जोशी joshi, कुलकर्णी kulkarni, मिश्रा mishra, देशपांडे deshpande, यादव yadav",
  ),
};

const chinese: Names = {
  familyFirst: true,
  given: names(
    "伟 wei, 秀英 xiuying, 敏 min, 建国 jianguo, 静 jing, 子轩 zixuan, 丽华 lihua, 浩然 haoran, 雨桐 yutong, 志强 zhiqiang",
  ),
  family: names(
    "王 wang, 李 li, 张 zhang, 刘 liu, 陈 chen, 杨 yang, 黃 huang, 趙 zhao, 歐陽 ouyang, 林 lin",
  ),
};

const japanese: Names = {
  familyFirst: true,
  given: names(
    "さくら sakura, 健太 kenta, 美咲 misaki, 大輔 daisuke, 陽子 yoko, ユウキ yuki, 直美 naomi, 翔 sho, 恵 megumi, 拓也 takuya",
  ),
  family: names(
    "佐藤 sato, 鈴木 suzuki, 高橋 takahashi, 田中 tanaka, 渡邉 watanabe, 伊藤 ito, 山本 yamamoto, 中村 nakamura, 小林 kobayashi, 髙木 takagi",
  ),
};

const korean: Names = {
  familyFirst: true,
  given: names(
    "민준 minjun, 서연 seoyeon, 지훈 jihun, 하은 haeun, 도윤 doyun, 수빈 subin, 현우 hyunwoo, 예진 yejin, 성호 seongho, 미경 mikyung",
  ),
  family: names(
    "김 kim, 이 lee, 박 park, 최 choi, 정 jung, 강 kang, 조 cho, 윤 yoon, 장 jang, 임 lim",
  ),
};

/** There are several times as many Latin names as names of another script. */
export const scripts: readonly Names[] = [
  latin,
  latin,
  latin,
  latin,
  greek,
  cyrillic,
  arabic,
  hebrew,
  devanagari,
  chinese,
  japanese,
  korean,
];

export const roles = ["agent", "teacher", "student", "support", "sales", "guest"] as const;

export const places: readonly (string | null)[] = [
  null,
  null,
  "Berlin",
  "São Paulo",
  "Αθήνα",
  "Київ",
  "القاهرة",
  "תל אביב",
  "मुंबई",
  "上海",
  "大阪",
  "서울",
  "Lagos",
  "Zürich",
  "Kraków",
];

export const tags = [
  "sales",
  "night shift",
  "training",
  "français",
  "Ελληνικά",
  "поддержка",
  "العربية",
  "עברית",
  "हिन्दी",
  "中文",
  "日本語",
  "한국어",
  "remote",
  "on call",
] as const;
