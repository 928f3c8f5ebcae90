// Passwords that attackers guess first: those of an offline list of leaked passwords, as written or slightly disguised,
// and words that are publicly known about the user.
import type { Problem } from '../../contract/errors.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { invalid } from '../base/errors.ts'

interface Known {
  name?: string
  email?: string
}

let loading: Promise<ReadonlySet<string>> | undefined

/** Loaded when a password is first checked: most processes check none. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String))
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const readable = (text: string) =>
  text.replace(/[@431!0$57]/g, (character) => LOOKALIKES[character] ?? character)

/** A password with at most this many characters around a word, before and after together, counts as that word. */
const PADDING_MAX = 5
const WORD_MIN = 4

/** The words that the password may disguise: itself, and the word in it without digits and signs around it. */
function disguised(password: string): string[] {
  const plain = password.toLowerCase()
  return [plain, readable(plain)].flatMap((text) => {
    const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    return word.length >= WORD_MIN && text.length - word.length <= PADDING_MAX ? [text, word] : [text]
  })
}

const DIFFERENT_MIN = 4

const ownWords = ({ name, email }: Known): string[] =>
  [email, email?.split('@')[0], name, name?.replace(/\s+/g, ''), ...(name?.split(/\s+/) ?? [])]
    .map((word) => word?.toLowerCase() ?? '')
    .filter((word) => word.length >= WORD_MIN)

const problem = (path: string, code: ProblemCode, why: string): Problem => ({
  path,
  code,
  message: `${why}, so it is easy to guess: choose a longer one, such as four unrelated words`,
})

/**
 * Why a new password is easy to guess; undefined: it is not known to be.
 * @param known the user's name and email
 * @param path of the field that the problem names
 */
export async function commonPasswordProblem(
  password: string,
  known: Known,
  path = 'password',
): Promise<Problem | undefined> {
  loading ??= load()
  const leaked = await loading
  const words = disguised(password)
  const own = ownWords(known)
  if (words.some((word) => own.includes(word)))
    return problem(path, 'personal_password', 'is based on your name or email address')
  if (new Set(password).size < DIFFERENT_MIN)
    return problem(path, 'repetitive_password', 'repeats only a few characters')
  if (words.some((word) => leaked.has(word)))
    return problem(path, 'common_password', 'is one of the most used passwords')
  return undefined
}

/** Checks like commonPasswordProblem. @throws AppError validation_error */
export async function refuseCommonPassword(password: string, known: Known, path?: string): Promise<void> {
  const found = await commonPasswordProblem(password, known, path)
  if (found) throw invalid('validation_error', [found])
}
