// Makes the inputs of the simulation: figures of docs/benchmarks.md, and measured costs of statements about keys.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import sql from 'sql-template-tag'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { hashKey } from '../../server/identity/api-keys/key.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { countKeyRequest, selectKeysByHash } from '../../server/identity/api-keys/store.ts'
import type { BenchOptions } from '../harness/bench.ts'
import { median, rounded } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { serverMs } from '../harness/usage.ts'
import { makeOwner } from '../records/objects.ts'
import { type Cost, INPUTS, type Inputs, OPERATIONS, type Operation } from './inputs.ts'
import { readPublished } from './published.ts'

const KEYS = 500
const AT_ONCE = 16
const ADDRESS = Buffer.alloc(32)

interface Statement {
  send(): Promise<unknown>
  /** Units of work in one statement, such as keys. */
  units: number
}

/** CPU ms per unit of this process and of PostgreSQL, while the statement is sent as often as possible. */
async function costOf(postmaster: number, { send, units }: Statement, seconds: number): Promise<Cost> {
  const [before, spent] = [process.cpuUsage(), await serverMs(postmaster)]
  const endsAt = performance.now() + seconds * 1000
  let sent = 0
  const worker = async () => {
    for (; performance.now() < endsAt; sent++) await send()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const { user, system } = process.cpuUsage(before)
  const of = (ms: number) => ms / sent / units
  return { nodeMs: of((user + system) / 1000), postgresMs: of((await serverMs(postmaster)) - spent) }
}

async function makeKeys(ctx: Context): Promise<Buffer[]> {
  const { caller } = await makeOwner(ctx)
  const hashes: Buffer[] = []
  for (let n = 0; n < KEYS; n++) {
    const { key } = await createKey(ctx, caller.org, { name: `${n}`, scopes: null, createdBy: caller.userId })
    hashes.push(hashKey(key))
  }
  return hashes
}

type Name = 'read' | 'admission' | 'renewal'

function statementsOn({ db }: { db: Db }, hashes: readonly Buffer[]): Record<Name, Statement> {
  let turn = 0
  const next = () => hashes[turn++ % hashes.length]
  return {
    read: { send: () => db.many(sql`select * from api_keys where hash = ${next()}`), units: 1 },
    admission: {
      send: () => countKeyRequest(db, { hash: next(), addressBucket: ADDRESS, windowSeconds: 60 }),
      units: 1,
    },
    renewal: { send: () => selectKeysByHash(db, [...hashes]), units: hashes.length },
  }
}

/** Measures the statements in turn, so that other load on the machine affects all of them. */
async function measureStatements(
  postmaster: number,
  statements: Record<Name, Statement>,
  { seconds, rounds }: BenchOptions,
): Promise<Record<Name, Cost>> {
  const found: Record<Name, Cost[]> = { read: [], admission: [], renewal: [] }
  const names = Object.keys(found) as Name[]
  for (let round = 0; round < rounds; round++)
    for (const name of names) found[name].push(await costOf(postmaster, statements[name], seconds))
  const middle = (costs: Cost[]): Cost => ({
    nodeMs: median(costs.map(({ nodeMs }) => nodeMs)),
    postgresMs: median(costs.map(({ postgresMs }) => postgresMs)),
  })
  return { read: middle(found.read), admission: middle(found.admission), renewal: middle(found.renewal) }
}

const ofEach = <Value>(of: (operation: Operation) => Value) =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, of(operation)])) as Record<Operation, Value>

/** Writes inputs.json. */
export async function measureInputs(lab: Lab, options: BenchOptions): Promise<void> {
  const service = await startService(lab, { env: { ROLE: 'api' } })
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const statements = statementsOn(ctx, await makeKeys(ctx))
  const { read, ...costs } = await measureStatements(service.postgresPid, statements, options)
  const published = await readPublished()
  // Other load slows all statements equally. The costs are scaled by the published cost of one read without other load.
  const scale = published.statementMs / read.postgresMs
  const scaled = ({ nodeMs, postgresMs }: Cost): Cost => ({
    nodeMs: rounded(nodeMs * scale),
    postgresMs: rounded(postgresMs * scale),
  })
  const { nodeMs, postgresMs } = published.costOf('get')
  const inputs: Inputs = {
    day: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    ...{ operations: ofEach(published.costOf), points: ofEach(published.pointOf) },
    ...{ admission: scaled(costs.admission), renewal: scaled(costs.renewal) },
    clientMs: rounded(2000 / published.pointOf('get').rate - nodeMs - postgresMs),
  }
  lab.tell(`a statement took ${rounded(1 / scale)} times the CPU that it takes by itself`)
  await writeFile(INPUTS, `${JSON.stringify(inputs, null, 2)}\n`)
}
