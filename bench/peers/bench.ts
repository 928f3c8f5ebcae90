// bench peers: requests of an integration, compared with Directus, NocoDB and Strapi, all with the same million rows.
import { administrationOf } from '../harness/administration.ts'
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { startLoadGenerator } from '../harness/load.ts'
import { attach, startService } from '../harness/service.ts'
import { directus } from './directus.ts'
import { install } from './install.ts'
import { type Case, measureCase, missing } from './measure.ts'
import { nocodb } from './nocodb.ts'
import { openPeer } from './opening.ts'
import type { Party } from './party.ts'
import type { Peer } from './peer.ts'
import { countIndustries } from './people.ts'
import { openRapport, type Plan } from './rapport.ts'
import { strapi } from './strapi.ts'
import { verify } from './verify.ts'
import { VERSIONS } from './versions.ts'

const PEERS: readonly Peer[] = [directus, nocodb, strapi]

const CASES: readonly Case[] = [
  { name: 'GET one record', stream: 'get', target: 25 },
  { name: 'list 50 records by a filter', stream: 'list', target: 10 },
  { name: 'list 50 records by a filter, with total', stream: 'counted', target: 10 },
  { name: 'create one record', stream: 'create', target: 25 },
  { name: 'bulk create 100 records', stream: 'bulk', target: 10 },
]

const SAMPLE = 1000

const samplePlan = (records: number): Plan => {
  const size = Math.min(SAMPLE, records)
  return { records, sample: Array.from({ length: size }, (_, place) => Math.floor((place * records) / size)) }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Installs all peers. @returns the folder of each peer, or the error of its installation */
function installAll(lab: Lab): Promise<PromiseSettledResult<string>[]> {
  lab.tell('Installing Directus, NocoDB and Strapi from the npm registry, which takes some minutes …')
  return Promise.allSettled(
    PEERS.map(async ({ name }) => {
      const startedAt = performance.now()
      const folder = await install(lab, name)
      lab.tell(`${VERSIONS[name].title} installed: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
      return folder
    }),
  )
}

interface Opened {
  parties: [Party, ...Party[]]
  /** One row for each peer that could not be installed, started or verified. */
  absent: Row[]
  postgresPid: number
}

async function openAll(lab: Lab, plan: Plan): Promise<Opened> {
  const folders = await installAll(lab)
  const service = await startService(lab)
  const { ctx, database, close } = await attach(lab, service)
  lab.onClose(close)
  const administration = administrationOf(database)
  const counts = countIndustries(plan.records)
  lab.tell(`Loading ${plan.records} records …`)
  const ours = await openRapport(lab, { ctx, connection: database.connection, service }, plan)
  await verify(ours, plan, counts)
  const parties: Opened['parties'] = [ours]
  const absent: Row[] = []
  for (const [place, peer] of PEERS.entries())
    try {
      const folder = folders[place]
      if (folder?.status !== 'fulfilled') throw folder?.reason
      const party = await openPeer(lab, { peer, folder: folder.value, administration }, plan)
      await verify(party, plan, counts)
      parties.push(party)
    } catch (error) {
      const { title } = VERSIONS[peer.name]
      lab.tell(`${title} is left out: ${reasonOf(error)}`)
      absent.push(missing(title, reasonOf(error)))
    }
  return { parties, absent, postgresPid: service.postgresPid }
}

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(CASES, options.only)
  const { parties, absent, postgresPid } = await openAll(lab, samplePlan(options.records))
  if (parties.length === 1)
    throw new Error(`No peer could be started. ${absent.map((row) => row.case).join('; ')}`)
  const generator = await startLoadGenerator(lab, {
    module: new URL('./requests.ts', import.meta.url),
    params: { systems: parties.map(({ address, ids }) => ({ address, ids })), mark: 'load' },
  })
  const rows: Row[] = []
  for (const one of cases)
    rows.push(...(await measureCase(lab, parties, one, { generator, postgresPid, options })))
  return [...rows, ...absent]
}

export const peersBench: Bench = {
  name: 'peers',
  summary: 'GET, lists, create and bulk create, compared with Directus, NocoDB and Strapi',
  run,
}
