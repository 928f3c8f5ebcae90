// Moves organizations between the cells of a cluster with the operator's command, and kills some of the commands.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeOrganization } from '../../cells/move/clear.ts'
import { findGuard } from '../../cells/move/guard.ts'
import { findMove } from '../../cells/move/store.ts'
import { findOrganization } from '../../identity/store.ts'
import type { Org } from '../factories.ts'
import type { Cluster, LedgerDatabase } from './cluster.ts'

const CLI = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))

interface Ended {
  isDone: boolean
  output: string
}

/** @param killAfterMs undefined: the command runs to its end */
async function runMove(
  { environment }: Cluster,
  { org, to }: { org: Org; to: LedgerDatabase },
  killAfterMs?: number,
): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, 'org', 'move', org.id, '--to', to.name], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const exited = once(child, 'exit')
  if (killAfterMs !== undefined) {
    await Promise.race([delay(killAfterMs, undefined, { ref: false }), exited])
    child.kill('SIGKILL')
  }
  const [code] = await exited
  return { isDone: code === 0, output: (await output).join('') }
}

async function homeOf({ service }: Cluster, { id }: Org): Promise<number> {
  const found = await findOrganization(service.ctx.directory, id)
  if (!found) throw new Error(`The directory does not know ${id}`)
  return found.cell
}

/** Repeats the command after a kill. */
async function resume(cluster: Cluster, move: { org: Org; to: LedgerDatabase }): Promise<string> {
  const ended = await runMove(cluster, move)
  if (ended.isDone) return ended.output
  // A worker completed the move first, or the killed command had already completed it.
  const { directory } = cluster.service.ctx
  const isOver = (await findMove(directory, move.org.org)) === undefined
  if (!isOver || (await homeOf(cluster, move.org)) !== move.to.cell) throw new Error(ended.output)
  return 'it was moved already'
}

/**
 * Moves an organization, and repeats the command if it was killed.
 * @throws if a command that was not killed fails
 */
export async function moveOrg(
  cluster: Cluster,
  move: { org: Org; to: LedgerDatabase },
  killAfterMs?: number,
): Promise<void> {
  const first = await runMove(cluster, move, killAfterMs)
  if (!first.isDone && killAfterMs === undefined) throw new Error(first.output)
  const isKilled = !first.isDone
  const output = isKilled ? await resume(cluster, move) : first.output
  const [line] = output.split('\n')
  process.stdout.write(`ledger: ${isKilled ? `killed after ${killAfterMs} ms: ` : ''}${line}\n`)
  cluster.homes.set(move.org.org, move.to.cell)
}

/** Deletes the rows that stay in former cells for ten minutes: an account counts the rows of only one cell. */
export async function clearFormer({ databases }: Cluster, orgs: readonly Org[]): Promise<void> {
  for (const { pool, cell } of databases)
    for (const { org } of orgs)
      if ((await findGuard(pool, org))?.state === 'left')
        await removeOrganization(pool, { org, cell, expected: { state: 'left' } })
}
