import { expect, test } from 'vitest'
import type { OrganizationMove } from '../../cells/move/store.ts'
import { judgeCoverage } from './backup.ts'
import { judgePlaces, movesFinding } from './cells.ts'

const move: OrganizationMove = {
  ...{ id: '0198c0de-0000-7000-8000-000000000001', slug: 'acme', from: 'directory', to: 'eu' },
  ...{ state: 'copying', startedAt: '2026-06-10T12:00:00.000Z', stateAt: '2026-06-10T12:00:00.000Z' },
  isWorking: true,
}
const left: OrganizationMove = { ...move, slug: 'globex', isWorking: false }

test.each([
  ['none', [], 'ok', 'no organization is being moved', undefined],
  ['one with its command', [move], 'ok', 'acme from directory to eu', undefined],
  [
    'one whose command ended',
    [left],
    'warn',
    'globex from directory to eu',
    'rapport org move globex --to eu',
  ],
  ['both', [move, left], 'warn', 'no command works on: globex', '--cancel'],
] as const)('the doctor on moves: %s', (_, moves, status, detail, advice) => {
  const finding = movesFinding(moves)
  expect(finding).toMatchObject({ check: 'moves', status, detail: expect.stringContaining(detail) })
  expect(finding.advice ?? '').toContain(advice ?? '')
  expect(finding.advice === undefined).toBe(status === 'ok')
})

const misplaced = { id: move.id, slug: 'acme', named: 0, isHere: true }

test('the doctor names organizations that are not where the directory looks for them', () => {
  expect(judgePlaces([], 'eu')).toMatchObject({ check: 'organizations', status: 'ok' })
  const others = [
    { ...misplaced, slug: 'globex', named: null },
    { ...misplaced, slug: 'hooli', named: 1, isHere: false },
  ]
  const { status, detail, advice } = judgePlaces([misplaced, ...others], 'eu')
  expect(status).toBe('fail')
  expect(detail).toBe(
    'acme is in it, although the directory names cell 0; globex is in it, and the directory does not know it; hooli is not in it, although the directory names eu',
  )
  expect(advice).toContain('cells.md')
  const many = Array.from({ length: 7 }, () => misplaced)
  expect(judgePlaces(many, 'eu').detail).toMatch(/; and 2 others$/)
})

test('the doctor warns that backups of the service do not have the databases of cells', () => {
  expect(judgeCoverage({ cells: [] })).toEqual([])
  const cells = ['eu', 'us'].map((name) => ({ name, databaseUrl: 'postgres://db' }))
  expect(judgeCoverage({ cells })).toMatchObject([
    { status: 'warn', detail: expect.stringContaining('in 2 cells: eu, us') },
  ])
})
