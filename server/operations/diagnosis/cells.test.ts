import { expect, test } from 'vitest'
import type { OrganizationMove } from '../../cells/move/store.ts'
import { movesFinding } from './cells.ts'

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
