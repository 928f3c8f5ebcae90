// Quick searches over all objects and in the table of one object, before and after its index is complete.
import { percentile, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, p50, reported } from '../harness/rows.ts'
import { loadAnother } from './back-fill.ts'
import { isBuilding, untilBuilding } from './back-fill-rounds.ts'
import type { ClientRequest } from './client.ts'
import { DOMAINS, type Person, personAt } from './people.ts'
import { RARE_WORD } from './questions.ts'
import { type Address, headersOf, recordsPath } from './requests.ts'
import type { Stage } from './stage.ts'

export const QUICK_SEARCH_NAME = 'quick search'
export const BUILDING_NAME = 'quick search during a back-fill'

const ALLOWED_MS = 1000
/** More requests than the time allows. */
const TIMES_MAX = 1_000_000
/** The page size of the dashboard's table. */
const TABLE_PAGE = 100

const fullName = ({ name }: Person) => `${name.firstName} ${name.lastName}`

/** Names of two people, words of both, and common words together with a rare or missing one. */
function textsOf(records: number): string[] {
  const [one, other] = [personAt(Math.floor(records / 3)), personAt(Math.floor(records / 2))]
  return [
    fullName(one),
    fullName(other).toLowerCase(),
    `${one.name.firstName} ${other.name.lastName}`,
    ...['@example.com sales', 'rosa gruber', `@${DOMAINS[0]} ${RARE_WORD}`, `${one.name.firstName} example`],
  ]
}

const everywhere = (address: Address, text: string): ClientRequest => ({
  method: 'GET',
  path: `/api/v1/search?${new URLSearchParams({ q: text })}`,
  headers: headersOf(address),
})

const inTable = (address: Address, text: string): ClientRequest => ({
  method: 'POST',
  path: `${recordsPath(address)}/search`,
  headers: headersOf(address),
  body: JSON.stringify({ filter: { q: text }, limit: TABLE_PAGE, isQuick: true }),
})

const WAYS = { 'over all objects': everywhere, 'in a table': inTable }

const p99 = (values: readonly number[]) => percentile(Float64Array.from(values).sort(), 0.99)

/** Sends each text for `seconds`, first over all objects, then in the table. */
async function ask(lab: Lab, stage: Stage, { name, slug }: { name: string; slug: string }): Promise<Row[]> {
  const { setting, service, address, records } = stage
  const rows: Row[] = []
  for (const [way, requestOf] of Object.entries(WAYS)) {
    const all: number[] = []
    for (const text of textsOf(records)) {
      const requests = [requestOf({ ...address, slug }, text)]
      const asking = { requests, clients: 1, times: TIMES_MAX, seconds: setting.options.seconds }
      const { latenciesMs } = await setting.client.ask({ url: service.url, ...asking })
      lab.tell(
        `${name}, ${way}, “${text}”: p50 ${p50(latenciesMs).toFixed(0)} ms, p99 ${p99(latenciesMs).toFixed(0)} ms`,
      )
      all.push(...latenciesMs)
    }
    rows.push(
      reported(name, `ms over HTTP, ${way}, p50`, p50(all)),
      allowed(name, `ms over HTTP, ${way}, p99 allowed`, p99(all), ALLOWED_MS),
    )
  }
  return rows
}

export const searchQuickly = (lab: Lab, stage: Stage): Promise<Row[]> =>
  ask(lab, stage, { name: QUICK_SEARCH_NAME, slug: stage.object.slug })

/** Searches in another object with the same number of people while its index is built. */
export async function searchDuringBackFill(lab: Lab, stage: Stage): Promise<Row[]> {
  const object = await loadAnother(lab, stage, 'searched')
  await untilBuilding(stage, object)
  const rows = await ask(lab, stage, { name: BUILDING_NAME, slug: object.slug })
  if (!(await isBuilding(stage, object)))
    throw new Error('The index is complete before all searches were measured: take more records')
  return rows
}
