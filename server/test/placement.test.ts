// Which cell has an organization, and how it moves, is known to server/placement and server/cells: no other statement
// names the tables and columns that hold it, and without them no state of a move.
import { expect, test } from 'vitest'
import { createExceptions } from './exceptions.ts'
import { child, children, nameOf, ours, type Source, sourceOf } from './message-list/syntax.ts'

/** Tables and columns; some of the names are words that other statements use too. */
const PRIVATE = new RegExp(
  [
    /\b(?:organization_moves|moved_tokens|move_changes|identity_changes|moving_to)\b/,
    /(?<=\b(?:from|join|into|update|table) )(?:cells|moves|installation)\b/,
    /(?<!\bas )\bcell\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** What is allowed all the same, each with its reason; one that is no longer needed fails. */
const { excepting, unused } = createExceptions({
  'server/identity/store.ts names cell':
    'it inserts the row of an organization, with the cell that was chosen',
})

/** The texts of the SQL templates of a file, without what is put into them. */
const statementsOf = ({ nodes, text }: Source): string[] =>
  nodes
    .filter((node) => node.type === 'TaggedTemplateExpression' && nameOf(child(node, 'tag')) === 'sql')
    .flatMap((node) => children(child(node, 'quasi'), 'quasis'))
    .map(({ start, end }) => text.slice(start, end))

function faultsOf(file: string): string[] {
  const source = sourceOf(file)
  const names = source ? statementsOf(source).flatMap((statement) => statement.match(PRIVATE) ?? []) : []
  return [...new Set(names)].map((name) => `${file} names ${name}`)
}

test('statements outside the placement of organizations name no cell and no move', () => {
  const files = ours
    .filter(({ text }) => text.includes('sql`') && text.match(PRIVATE) !== null)
    .map(({ file }) => file)
    .filter((file) => !/^server\/(?:placement|cells)\//.test(file))
  expect(excepting(files.flatMap(faultsOf))).toEqual([])
  expect(unused()).toEqual([])
})

test('names in statements are found', () => {
  const file = 'server/placement/placement.ts'
  const names = ['organization_moves', 'cell', 'moving_to', 'cells', 'identity_changes']
  expect(faultsOf(file).sort()).toEqual(names.map((name) => `${file} names ${name}`).sort())
})
