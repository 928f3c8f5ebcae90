// How much the work of one organization slows another: the p99 of the other's lists, one request after the other.
import type { Context } from '../../server/context.ts'
import { median } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { type LoadGenerator, startLoadGenerator } from '../harness/load.ts'
import type { Service } from '../harness/service.ts'
import { createRecords, makeOrganization } from '../http/fixture.ts'

export interface Meanwhile {
  generator: LoadGenerator
  url: string
}

const ask = async ({ generator, url }: Meanwhile): Promise<number> =>
  (await generator.run({ url, connections: 1, seconds: 1, stream: 'list' })).p99Ms

/** @returns the p99 of the other organization in each round, while `work` is done */
export async function during(meanwhile: Meanwhile, work: () => Promise<unknown>): Promise<number[]> {
  const state = { isDone: false }
  const working = work().finally(() => {
    state.isDone = true
  })
  // The `await` below reports a failure. Until then it must not count as an unhandled rejection.
  working.catch(() => undefined)
  const p99Ms: number[] = []
  while (!state.isDone) p99Ms.push(await ask(meanwhile))
  await working
  return p99Ms
}

export async function usual(meanwhile: Meanwhile, rounds: number): Promise<number> {
  const p99Ms: number[] = []
  for (let round = 0; round <= rounds; round++) p99Ms.push(await ask(meanwhile))
  // The first round is a warm-up.
  return median(p99Ms.slice(1))
}

/** Makes the other organization, with people that it lists. */
export async function openMeanwhile(lab: Lab, { url }: Service, ctx: Context): Promise<Meanwhile> {
  const other = await makeOrganization(ctx, 1)
  const key = other.keys[0] ?? ''
  const people = Array.from({ length: 50 }, (_, n) => ({ data: { name: `Other ${n}` } }))
  await createRecords(`${url}/api/v1/objects/people/records`, key, people)
  const module = new URL('./requests.ts', import.meta.url)
  return { generator: await startLoadGenerator(lab, { module, params: { key } }), url }
}
