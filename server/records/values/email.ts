// The pattern of HTML's email input, extended to letters of any script. Labels exclude the dot and the local part
// excludes the @, so there is one way to match and matching takes linear time.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~\-\u00a1-\uffff]{1,64}@[\w\u00a1-\uffff][\w\-\u00a1-\uffff]*(?:\.[\w\u00a1-\uffff][\w\-\u00a1-\uffff]*)+$/
const INVISIBLE = /[\s\p{Cc}\p{Cf}]/u
/** RFC 5321: the longest address that fits a mail command. */
const EMAIL_MAX = 254

/** Whether a text is one address, without a name. */
export const isEmailValue = (text: string): boolean =>
  text.length <= EMAIL_MAX &&
  EMAIL.test(text) &&
  !INVISIBLE.test(text) &&
  !text.includes('-.', text.indexOf('@')) &&
  !text.endsWith('-')
