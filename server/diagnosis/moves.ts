// Moves between cells for the doctor.
import { type OrganizationMove, selectMoves } from '../cells/move/store.ts'
import type { Db } from '../db/pool.ts'
import type { Finding } from './finding.ts'

const textOf = ({ slug, from, to, state, startedAt }: OrganizationMove) =>
  `${slug} from ${from} to ${to} (${state}, since ${startedAt})`

export function movesFinding(moves: readonly OrganizationMove[]): Finding {
  const check = 'moves'
  if (moves.length === 0) return { check, status: 'ok', detail: 'no organization is being moved' }
  const left = moves.filter(({ isWorking }) => !isWorking)
  if (left.length === 0)
    return { check, status: 'ok', detail: `being moved: ${moves.map(textOf).join(', ')}` }
  return {
    check,
    status: 'warn',
    detail: `moves that no command works on: ${left.map(textOf).join(', ')}`,
    advice: `go on with rapport org move ${left[0]?.slug} --to ${left[0]?.to}, or end it with --cancel`,
  }
}

export const checkMoves = async (directory: Db): Promise<Finding> =>
  movesFinding(await selectMoves(directory))
