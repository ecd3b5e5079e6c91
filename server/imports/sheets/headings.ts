import { importFields, skippedFields } from "../../../contract/imports/fields.ts";
import type { ImportKind } from "../../../contract/imports/imports.ts";
import { foldWord } from "./words.ts";

/*
 * The names of columns: Parley's, and those of other products and languages. Case, blanks and signs
 * do not count. Lists are in the order of preference within a file. docs/moving-in.md names the
 * products; change both together.
 */

/**
 * The targets of columns: a field of the interface, or one of these. `firstName` and `lastName` become
 * the name, `enabled` and `status` the suspension; `nothing` is skipped on purpose.
 */
export const headingParts: Readonly<Record<ImportKind, readonly string[]>> = {
  users: ["firstName", "lastName", "enabled", "status", "emailAndName"],
  rooms: ["moreOwners", "guestPolicy", "chatOff", "recordsByItself", "atMost"],
};

const split = (list: string): readonly string[] => list.trim().split(/\s+/);

/** The console's labels that are not the name of their field; a test compares them. */
const labels: Readonly<Record<ImportKind, Readonly<Record<string, string>>>> = {
  users: {
    admin: "Administrator",
    meetNowEnabled: "Instant meetings",
    displayRating: "Show ratings",
    mustChoosePassword: "Must choose a new password",
    accountSuspended: "Suspended",
    accountDeleted: "Revoked",
  },
  rooms: {
    room: "Room ID",
    roomOwnerId: "Owners",
    roomType: "Type",
    roomPassword: "Room password",
    isStatic: "Keep the room after meetings",
    noOfModerators: "Moderators",
    noOfParticipants: "Participants",
    noOfViewers: "Viewers",
    noOfUpgradeRequests: "Upgrade requests",
    audioStatus: "Audio",
    videoStatus: "Video",
    enableScreenSharing: "Screen sharing",
    enableChatOption: "Chat",
    enableRecording: "Recording",
    recordingFormat: "Format",
    recordModerator: "Record moderators",
    recordParticipant: "Record participants",
    recordingResolutions: "Picture sizes",
    recordingStrategy: "Strategy",
    enableTranscription: "Transcription",
    enableLiveStreaming: "Live streaming",
    liveStreamUrl: "Stream address",
    liveStreamKey: "Stream key",
    enableRTMPStreaming: "Send by RTMP",
    authenticationRequired: "Guests wait to be let in",
    participantPrivacy: "Hide participants from each other",
    roomPermaLink: "Permanent link",
    enablePresenters: "Several presenters",
    participantType: "People enter as",
    participantVideoPrivacy: "Hide participants' video from each other",
    acceptIpCameras: "IP cameras",
    roomAgenda: "Agenda",
    scheduledDateTime: "Next meeting",
  },
};

const synonyms: Readonly<Record<ImportKind, Readonly<Record<string, readonly string[]>>>> = {
  users: {
    email: split(`
      email emailaddress primaryemail primaryemailaddress mail mailaddress workemail businessemail useremail
      emailid emails emailadresse mailadresse courriel adressemail adresseemail adressecourriel adresseelectronique
      correo correoelectronico direcciondecorreo direcciondecorreoelectronico direccióndecorreoelectrónico
      indirizzoemail indirizzodipostaelettronica postaelettronica correioeletronico enderecodeemail
      emailadres adresemail adrespocztyelektronicznej epost epostadress epostadresse sahkoposti
      sahkopostiosoite emailovaadresa emailcim eposta epostaadresi почта электроннаяпочта
      адресэлектроннойпочты имейл メール メールアドレス eメール 電子メール 邮箱 邮件 电子邮件 电子邮箱 電子郵件 邮箱地址
      이메일 이메일주소 메일 البريدالالكتروني البريد userprincipalname upn signinname`),
    name: split(`
      fullname realname displayname name completename nameandsurname personname participant
      anzeigename vollstandigername nomcomplet nomdaffichage nombrecompleto nombreyapellidos
      nomecompleto nominativo nomeecognome naam volledigenaam weergavenaam namn fullstandigtnamn visningsnamn navn
      fuldenavn visningsnavn nimi kokonimi imieinazwisko imięinazwisko jmenoaprijmeni teljesnev nev adsoyad adisoyadi фио полноеимя
      отображаемоеимя 氏名 名前 表示名 姓名 名字 显示名称 名称 이름 성명 الاسم الاسمالكامل`),
    firstName: split(`
      firstname givenname forename first vorname prenom nombre nombres nome voornaam roepnaam fornamn fornavn
      etunimi imie imię jmeno krestnijmeno keresztnev utonev ad adi имя 名 名(名字) 이름(명)`),
    lastName: split(`
      lastname surname familyname sn last nachname familienname zuname nom nomdefamille apellido apellidos
      cognome sobrenome apelido achternaam familienaam efternamn efternavn etternavn sukunimi nazwisko
      prijmeni vezeteknev csaladnev soyad soyadi фамилия 姓`),
    accountSuspended: split(`
      suspended issuspended accountsuspended blocksignin blocked isblocked banned disabled isdisabled
      accountdisabled deactivated isdeactivated deleted isdeleted gesperrt deaktiviert desactive suspendu`),
    enabled: split(
      "accountenabled enabled isenabled active isactive aktiv aktiviert actif actief activo attivo ativo",
    ),
    status: split("newstatus status accountstatus userstatus accountstate"),
    role: split("role rolle rôle rol ruolo"),
    location: split("location standort"),
    tags: split("tags labels"),
    language: split(`
      preferredlanguage language lang locale sprache langue idioma lingua taal jezyk dil мова язык 言語 语言 اللغة`),
    nothing: split(`
      password initialpassword passwordprofile passwordhash passwordhashfunction passworddigest kennwort passwort
      temporarypassword username userid objectid uid uuid guid externalid immutableid login loginname
      timezone provider teamid emailverified totp requiredactions notbefore
      changepasswordatnextsignin billingactive has2fa hassso expirationtimestamp`),
  },
  rooms: {
    name: split(`
      roomname name title topic raum raumname raumbezeichnung nomdelasalle nomdusalon nombredelasala nomedasala
      nomedellastanza naamvanderuimte 会议室 会议室名称 会議室 会議室名 회의실 название комната`),
    room: split("roomid friendlyid meetingid room"),
    roomOwnerId: split(`
      roomownerid roomowner owneremail owner owners mailowner host hostemail hosts organizer organizeremail
      besitzer eigentumer inhaber proprietaire propietario proprietario eigenaar agare ejer eier omistaja wlasciciel vlastnik
      владелец 所有者 所有者邮箱 소유자 المالك`),
    moreOwners: split(
      "sharedusersemails shareduseremails sharedusers sharedwith coowners alternativehosts",
    ),
    enableRecording: split("enablerecording record recordings"),
    guestPolicy: split("guestpolicy"),
    roomPassword: split("roompassword glvieweraccesscode password passcode accesscode"),
    atMost: split("maxparticipants maxoccupants capacity seats platze sitzplatze"),
    recordsByItself: split("autostartrecording"),
    chatOff: split("locksettingsdisablepublicchat"),
    scheduledDateTime: split("scheduleddatetime starttime"),
    roomAgenda: split("agenda description"),
    nothing: split(`
      lastsession provider presentation muteonstart glanyonecanstart glanyonejoinasmoderator
      glmoderatoraccesscode attendeepw moderatorpw welcome voicebridge duration logouturl
      allowstartstoprecording`),
  },
};

/** A heading as it is compared. */
export const foldHeading = (text: string): string => foldWord(text).replace(/[^\p{L}\p{N}]/gu, "");

/** The marks around a heading in templates: "First Name [Required]", "Name *", "(optional)". */
const AROUND =
  /[[({](?:required|optional|upload only|read only|must be [^\])}]*|yes\/no|pflichtfeld)[\])}]|\brequired\b\s*$/gi;

/** The texts by which a heading may be known: without brackets, within brackets, as a whole. */
const formsOf = (heading: string): readonly string[] => {
  const text = heading.normalize("NFKC").replace(AROUND, " ");
  const bracketed = [...text.matchAll(/[[(]([^\])]*)[\])]/g)].map(([, inner = ""]) => inner);
  const bare = text.replace(/[[(][^\])]*[\])]/g, " ").replace(/\brequired\s*$/i, "");
  return [bare, ...bracketed, text].map(foldHeading).filter((form) => form !== "");
};

/** The target of a column, and its rank among those with the same target: the smaller, the better. */
export interface KnownHeading {
  readonly target: string;
  readonly rank: number;
  /** True if it is named as the field itself, or by Parley's label. */
  readonly own: boolean;
}

const knownOf = (kind: ImportKind): ReadonlyMap<string, KnownHeading> => {
  const known = new Map<string, KnownHeading>();
  const add = (word: string, target: string, rank: number, own: boolean): void => {
    const form = foldHeading(word);
    if (form !== "" && !known.has(form)) {
      known.set(form, { target, rank, own });
    }
  };
  for (const [target, words] of Object.entries(synonyms[kind])) {
    words.forEach((word, rank) => {
      const isOwn = target === word || labels[kind][target] === word;
      if (target !== "nothing") add(word, target, rank, isOwn);
    });
  }
  for (const field of importFields[kind].keys()) {
    const form = foldHeading(field);
    const before = known.get(form);
    if (before === undefined) known.set(form, { target: field, rank: 50, own: true });
    else if (before.target === field) known.set(form, { ...before, own: true });
  }
  for (const [field, label] of Object.entries(labels[kind])) add(label, field, 60, true);
  if (kind === "rooms") add("roomPermalink", "roomPermaLink", 1, true);
  for (const word of synonyms[kind].nothing ?? []) add(word, "nothing", 99, false);
  for (const word of skippedFields) add(word, "nothing", 99, true);
  return known;
};

const known: Readonly<Record<ImportKind, ReadonlyMap<string, KnownHeading>>> = {
  users: knownOf("users"),
  rooms: knownOf("rooms"),
};

/** A heading's meaning; undefined if it is unknown. */
export const knownHeading = (kind: ImportKind, heading: string): KnownHeading | undefined => {
  if (heading.length > 300) return undefined;
  const found = formsOf(heading)
    .map((form) => known[kind].get(form))
    .filter((one) => one !== undefined);
  return found.find(({ target }) => target !== "nothing") ?? found[0];
};

/** Returns whether a column may be assigned to this. */
export const isTarget = (kind: ImportKind, target: string): boolean =>
  importFields[kind].has(target) || headingParts[kind].includes(target);
