// Only server/placement and server/cells contain SQL statements with the tables and columns for the cell of an
// organization and its moves.
import { expect, test } from 'vitest'
import { createExceptions } from './exceptions.ts'
import { child, children, nameOf, ours, type Source, sourceOf } from './message-list/syntax.ts'

/** The tables and columns. Some of the names are words that also have other meanings in statements. */
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

/** Allowed exceptions, each with its reason. The test fails on unused ones. */
const { excepting, unused } = createExceptions({
  'server/identity/store.ts names cell':
    'it inserts the row of an organization, with the cell that was chosen',
})

/** The texts of the SQL templates of a file, without their inserted values. */
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

test('statements outside server/placement and server/cells name no cells or moves', () => {
  const files = ours
    .filter(({ text }) => text.includes('sql`') && text.match(PRIVATE) !== null)
    .map(({ file }) => file)
    .filter((file) => !/^server\/(?:placement|cells)\//.test(file))
  expect(excepting(files.flatMap(faultsOf))).toEqual([])
  expect(unused()).toEqual([])
})

test('the check finds names in statements', () => {
  const file = 'server/placement/placement.ts'
  const names = ['organization_moves', 'cell', 'moving_to', 'cells', 'identity_changes']
  expect(faultsOf(file).sort()).toEqual(names.map((name) => `${file} names ${name}`).sort())
})
