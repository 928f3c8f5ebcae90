// Migrations expand first: processes of the version before go on while they are applied and afterwards. What they use is
// removed a version later.
import { demandsOf, type Migration } from '../db/migration-files.ts'

/** The first one that is held to these rules. */
export const FIRST_RULED = 69

type Statement = Pick<Migration, 'version' | 'text'>

const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '')

/** What statements remove or change that an older version may read. */
const CONTRACTIONS = [
  /\bdrop\s+(?:table|column|view|materialized view|type|schema|sequence|function)\b/gi,
  /\brename\b/gi,
  /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/gi,
]

/** What statements demand of rows that an older version may not know. */
const RESTRICTIONS = [
  /\bset\s+not\s+null\b|\bdrop\s+default\b/gi,
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+(?:(?!\bdefault\b)[^,;])*\bnot\s+null\b(?![^,;]*\bdefault\b)[^,;]*/gi,
  /\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|primary\s+key|foreign\s+key|exclude)\b/gi,
]

const found = (text: string, patterns: readonly RegExp[]): string[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([words]) => words.replaceAll(/\s+/g, ' ').trim()),
  )

/** On tables that were there before. */
function uniqueIndexes(text: string): string[] {
  const made = new Set(
    [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  )
  return [...text.matchAll(/\bcreate\s+unique\s+index\s+\w+\s+on\s+(\w+)/gi)]
    .filter(([, table]) => !made.has(table))
    .map(([words]) => words)
}

const refusedBelow = (text: string): number =>
  Number(/function refuse_older_writers\(\)[\s\S]*?< (\d+) then/.exec(text)?.[1] ?? 0)

/** @param writer of this version. @returns what is wrong, each with what to do */
export function faultsOf({ version, text }: Statement, writer: number): string[] {
  const { readsFrom, writer: declared } = demandsOf(text)
  const statements = withoutComments(text)
  const refused = refusedBelow(statements)
  const faults: string[] = []
  if (readsFrom === 0)
    for (const words of found(statements, CONTRACTIONS))
      faults.push(
        `"${words}": do it a version later, with the line "-- reads-from: NNNN" of the last migration of this one`,
      )
  if (readsFrom >= version)
    faults.push(`reads-from: ${readsFrom} stops the version before: name a migration that it knows`)
  if (declared === 0)
    for (const words of [...found(statements, RESTRICTIONS), ...uniqueIndexes(statements)])
      faults.push(`"${words}": turn away those who write less, with the line "-- writer: N"`)
  if (declared !== refused)
    faults.push(`writer: ${declared} is declared, and refuse_older_writers refuses those below ${refused}`)
  if (declared > writer) faults.push(`writer: ${declared} refuses this version too: raise WRITER`)
  return faults
}
