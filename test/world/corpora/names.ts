/** Names as people write them in many parts of the world. */
export const names = (): readonly string[] => all;

const all: readonly string[] = `
Aoife Ní Bhriain
Seán Ó Súilleabháin
Zoë van der Meulen
Siân Llŷr Gruffydd
Jean-Luc d’Aubigné
François L'Écuyer
Ángel Núñez y Peña
Íñigo Goikoetxea-Etxeberria
Jordi Puigdollers i Mercè
João Conceição dos Santos
Gonçalo Simões
Björk Guðmundsdóttir
Þórarinn Ævarsson
Øystein Ågård
Søren Kjærgaard
Åsa Öberg
Päivi Hämäläinen
Õnne Jõgi
Ģirts Ķēniņš
Žydrūnas Šimkūnas
Łucja Wójcik-Źrebiec
Świętosława Gżegżółka
Jiří Dvořák
Růžena Šťastná
Ľubomír Ďurica
Győző Szűcs
Ildikó Fűrész
Ștefan Țurcanu
Mihăiță Brâncoveanu
Đorđe Šćepanović
Čedomir Žilić
Gül Işık
İbrahim Çağlar
Ağasəf Hüseynəliyev
Straßer Groß
Jürgen Weiß-Müller
ẞ
Nguyễn Thị Ánh
Phạm Văn Đức
Trần Hữu Phước
Ngô Đình Khôi
ʻŌkuhaʻi Kamakawiwoʻole
Keahi Kealiʻi
Tāne Māhuta
Ŋutu Ɛdɔm
Ɔlúwaṣeun Adéọlá
Ọlátúnjí Ògúnlẹ́yẹ
Ngozi Ụzọma
Ƙofar Ɗanladi
Αλέξανδρος Παπαδόπουλος
Ευτυχία Ξενάκη
ὈΔΥΣΣΕΎΣ
Ιωάννης ὁ Χρυσόστομος
Юлия Щербакова
Ёлкин Пётр Ильич
Олександр Ґерета
Їжакевич Євгенія
Ўладзімір Караткевіч
Любомир Ѓорѓиев
Љиљана Његош
Ђурђица Ћосић
Қанат Әбдіғалиұлы
Өмүрбек Үсөнов
Цэцэгмаа Гомбожав
Ҷаҳонгир Ӯрунов
Արամ Խաչատրյան
Շուշանիկ Ղազարյան
ნინო ჯავახიშვილი
ჭაბუა ამირეჯიბი
שלמה בן־דוד
רָחֵל כֹּהֵן
יִצְחָק שפירא
محمد عبد الرحمن
فاطمة الزهراء
أبو بكر الصديق
عبدالله‎
شیرین پارسا‌پور
گلچهره ژیان
نور جہاں
ذوالفقار ٹھاکر
ܐܫܘܪ ܒܪ ܨܘܡܐ
ހުސައިން ދީދީ
अनुराधा श्रीवास्तव
क्षितिज ज्ञानेश्वर
विठ्ठल कुलकर्णी
সৌম্য বন্দ্যোপাধ্যায়
ঋতুপর্ণা সেন
ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ
જિજ્ઞેશ પટેલ
ଜଗନ୍ନାଥ ଦାସ
தமிழ்ச்செல்வி
ஸ்ரீநிவாசன்
వేంకటేశ్వర రావు
ಶ್ರೀಲಕ್ಷ್ಮಿ
ശ്രീകുമാർ
ചന്ദ്രൻ ഞാണപ്പൻ
සිරිමාවෝ බණ්ඩාරනායක
พิชญ์สินี ณ อยุธยา
น้ำฝน ศรีสุวรรณ
ສົມພອນ ວົງສາ
အောင်ဆန်းဦး
ឃ្លាំង ស៊ីសុវត្ថិ
བསྟན་འཛིན་རྒྱ་མཚོ
አበበ ገብረ መድኅን
ᎠᏂᎦᏚᏩᎩ
ᐃᓄᒃ ᓄᓇᕗᑦ
ⵜⵉⵏⵀⵉⵏⴰⵏ
王小明
王
歐陽震華
欧阳修
司馬𠮷郎
𠮷田太郎
髙橋 﨑子
渡邊 葉月
渡辺 はづき
ﾔﾏﾀﾞ ﾀﾛｳ
ヤマダ・タロウ
がぎぐげご
か\u3099き\u3099
山田　太郎
김민준
남궁 옥분
\u1112\u1161\u11ab\u1100\u1173\u11af
ㅎㅏㄴ
曾志偉
辻󠄀子
ᠴᠢᠩᠭᠢᠰ ᠬᠠᠭᠠᠨ
𞤀𞤣𞤢𞤥 𞤆𞤵𞤤𞤢𞤪
𐐔𐐯𐑅𐐨𐑉𐐯𐐻
Ｆｕｌｌ Ｗｉｄｔｈ
Anne\u0301 Combining
Anné Composed
\u212Bsa Kelvin \u212A
Ǆordan ǅordan ǆordan
ﬁne ﬀect
Ⅷ of Spain
M’Bala N'Diaye
O'Brien
O’Brien
O‘Brien
MacDonald, Jr.
Dr. h. c. mult. Änne-Marie von und zu Hohenstein-Übersee
X Æ A-12
Null
undefined
True
0
-1
1e5
NaN
Jane   Three   Spaces
Sosthène\u00a0Mbemba
Ann\u00adMarie
آيــــة
Z̷̢̛a̴l̶g̵o̸
👩‍🚀 Sally
🏴󠁧󠁢󠁳󠁣󠁴󠁿 Mòrag
Ann 👨‍👩‍👧‍👦
ﷺ
`
  .trim()
  .split("\n");
