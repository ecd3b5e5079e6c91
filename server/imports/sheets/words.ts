/*
 * Yes and no in the words of spreadsheets: what Excel, LibreOffice and Google Sheets write in their
 * languages, what databases write, and what people type.
 */

const YES = `
  true t yes y 1 on x ✓ ✔ ☑ ✅ wahr ja j vrai oui o verdadero sí si verdadeiro sim vero waar sant sann sand kyllä tosi
  prawda tak pravda ano áno igaz igen adevărat da αληθησ ναι ιστινα истина да истинно так іστινα істина
  resnica istina tõene jah tiesa taip patiess jā doğru evet כן אמת はい 真 是 对 對 真值 예 네 참 نعم صحيح có đúng ya benar
  enabled active`;
const NO = `
  false f no n 0 off ✗ ✘ ☐ ❌ falsch nein faux non falso não nao onwaar nee falskt falsk usann nej nei ei epätosi
  fałsz nie nepravda ne hamis nem fals nu ψευδησ όχι ложь нет хибність ні не невярно лъжа
  nepravilno laž väär netiesa aplams nē yanlış hayır לא שקר いいえ 偽 否 假 不是 아니요 아니오 거짓 لا خطأ خاطئ không sai tidak salah
  disabled inactive`;

/** More than any word has that is looked up: a sign may become eighteen. */
const LONGEST = 1_000;

/** A word without case, marks and surroundings, so that "FAŁSZ", "Hayır" and "sí" are found. */
export const foldWord = (text: string): string =>
  text
    .slice(0, LONGEST)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll("ς", "σ")
    .trim();

const wordsOf = (list: string): ReadonlySet<string> =>
  new Set(list.trim().split(/\s+/).map(foldWord));
const yes = wordsOf(YES);
const no = wordsOf(NO);

/** Marks around a word; those at its end are looked at from the first one only. */
const AROUND = /^["'“”„«»=(]+|(?<!["'“”„«»).!])["'“”„«»).!]+$/g;

/** Returns whether a cell says yes or no; undefined for neither. */
export const truthOf = (text: string): boolean | undefined => {
  const word = foldWord(text)
    .replace(AROUND, "")
    .replace(/^([01])[.,]0+$|^(\p{L}+)\($/u, "$1$2");
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
};
