// Migrations only expand the schema: processes of the previous version continue during and after them. Tables and
// columns that those processes use are removed one version later.
import { demandsOf, type Migration } from '../db/migration-files.ts'

/** The number of the first migration that must follow these rules. */
export const FIRST_RULED = 69

type Statement = Pick<Migration, 'version' | 'text'>

const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '')

/** Statements that remove or change data that an older version may read. */
const CONTRACTIONS = [
  /\bdrop\s+(?:table|column|view|materialized view|type|schema|sequence|function)\b/gi,
  /\brename\b/gi,
  /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/gi,
]

/** Statements with requirements for rows that an older version may not know. */
const RESTRICTIONS = [
  /\bset\s+not\s+null\b|\bdrop\s+default\b/gi,
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+(?:(?!\bdefault\b)[^,;])*\bnot\s+null\b(?![^,;]*\bdefault\b)[^,;]*/gi,
  /\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|primary\s+key|foreign\s+key|exclude)\b/gi,
]

/** Older versions may need these for writes: `on conflict` needs the unique index of its columns. */
const DROPPED_CONSTRAINT = /\bdrop\s+constraint\b/gi
const DROPPED_INDEX = /\bdrop\s+index\s+(?:concurrently\s+)?(?:if\s+exists\s+)?(\w+)/gi

/** Triggers and indexes that migrations have created so far. */
export interface Made {
  /** For each table, the changes that its trigger `older_writers` refuses. */
  guards: ReadonlyMap<string, string>
  uniqueIndexes: ReadonlyMap<string, string>
}

const UNIQUE_INDEX =
  /\bcreate\s+unique\s+index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(\w+)/gi
const GUARD = /\bcreate\s+trigger\s+older_writers\s+before\s+([\w\s]+?)\s+on\s+(\w+)/gi
const TABLE = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi
const ALTERED = /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i

const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)]
const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim()

export function madeBy(texts: readonly string[]): Made {
  const all = texts.map(withoutComments).join('\n')
  return {
    guards: new Map(allOf(all, GUARD).map(([, changes = '', table = '']) => [table, plain(changes)])),
    uniqueIndexes: new Map(allOf(all, UNIQUE_INDEX).map(([, name = '', table = '']) => [name, table])),
  }
}

interface Found {
  words: string
  /** Undefined: the statement does not name the table. */
  table: string | undefined
}

const foundIn = (statement: string, patterns: readonly RegExp[]): Found[] =>
  patterns.flatMap((pattern) =>
    allOf(statement, pattern).map(([words]) => ({
      words: plain(words),
      table: ALTERED.exec(statement)?.[1],
    })),
  )

/** Requirements that older versions may not know, on tables that existed before. */
function restrictionsIn(text: string, { uniqueIndexes }: Made): { restrictions: Found[]; dropped: Found[] } {
  const made = new Set(allOf(text, TABLE).map(([, name]) => name))
  const wasThere = ({ table }: Found) => table === undefined || !made.has(table)
  const statements = text.split(';')
  const restrictions = [
    ...statements.flatMap((one) => foundIn(one, RESTRICTIONS)),
    ...allOf(text, UNIQUE_INDEX).map(([words, , table]) => ({ words, table })),
  ]
  const dropped = [
    ...statements.flatMap((one) => foundIn(one, [DROPPED_CONSTRAINT])),
    ...allOf(text, DROPPED_INDEX).flatMap(([words, name = '']) =>
      uniqueIndexes.has(name) ? [{ words, table: uniqueIndexes.get(name) }] : [],
    ),
  ]
  return { restrictions: restrictions.filter(wasThere), dropped: dropped.filter(wasThere) }
}

const refusedBelow = (text: string): number =>
  Number(/function refuse_older_writers\(\)[\s\S]*?< (\d+) then/.exec(text)?.[1] ?? 0)

type Demanded = Pick<Migration, 'readsFrom' | 'writer'>

function readingFaults(text: string, version: number, { readsFrom }: Demanded): string[] {
  const faults: string[] = []
  if (readsFrom === 0)
    for (const { words } of foundIn(text, CONTRACTIONS))
      faults.push(
        `"${words}": do it a version later, with the line "-- reads-from: NNNN" of the last migration of this one`,
      )
  if (readsFrom >= version)
    faults.push(`reads-from: ${readsFrom} stops the version before: name a migration that it knows`)
  return faults
}

const REFUSE = 'turn away those who write less, with the line "-- writer: N"'

/** Without the trigger on a table, a higher WRITER refuses no writes to it. */
const unguarded = ({ guards }: Made, found: readonly Found[]): string[] =>
  found
    .filter(({ table }) => table !== undefined && !/insert or update/.test(guards.get(table) ?? ''))
    .map(({ words, table }) => `"${words}": ${table} has no trigger older_writers before insert or update`)

function writingFaults(text: string, made: Made, { readsFrom, writer }: Demanded): string[] {
  const { restrictions, dropped } = restrictionsIn(text, made)
  const undeclared = [...restrictions, ...(readsFrom === 0 ? dropped : [])]
  if (writer === 0) return undeclared.map(({ words }) => `"${words}": ${REFUSE}`)
  return unguarded(made, undeclared)
}

/**
 * @param writer WRITER of this version
 * @param before the texts of earlier migrations
 * @returns the faults, each with its remedy
 */
export function faultsOf({ version, text }: Statement, writer: number, before: readonly string[]): string[] {
  const demanded = demandsOf(text)
  const { writer: declared } = demanded
  const statements = withoutComments(text)
  const refused = refusedBelow(statements)
  const faults = [
    ...readingFaults(statements, version, demanded),
    ...writingFaults(statements, madeBy([...before, text]), demanded),
  ]
  if (declared !== refused)
    faults.push(`writer: ${declared} is declared, and refuse_older_writers refuses those below ${refused}`)
  if (declared > writer) faults.push(`writer: ${declared} refuses this version too: raise WRITER`)
  return faults
}

/**
 * After a migration that raises WRITER, writes are refused until new processes run. So no further migration of the same
 * version may follow, because it could wait or fail. The next one declares the release in between (`after-release`).
 */
export const orderFaults = (migrations: readonly Statement[]): string[] =>
  migrations.flatMap(({ version, text }, index) => {
    const next = migrations[index + 1]
    if (demandsOf(text).writer === 0 || next === undefined) return []
    const line = `-- after-release: ${String(version).padStart(4, '0')}`
    if (next.text.split('\n').includes(line)) return []
    return [
      `${next.version} comes after ${version}, which raises the writing: put it before, or add the line "${line}" if ${version} is released`,
    ]
  })
