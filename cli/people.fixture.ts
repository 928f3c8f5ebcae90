// The command line on an organization in which a test creates people.
import sql from 'sql-template-tag'
import type { BulkResult, BulkWrite } from '../contract/records.ts'
import { bulkWrite } from '../server/records/bulk/service.ts'
import { openCli } from './cli.fixture.ts'

/** Must be called at the top of a test file. */
export async function openPeople() {
  const cli = await openCli()
  const { rapport, inService, pool, org } = cli
  const write = (body: BulkWrite): Promise<BulkResult> =>
    inService((ctx, caller) => bulkWrite(ctx, caller, 'people', body))
  return {
    ...cli,
    /** Runs a command about people. */
    people: (...args: string[]) => rapport([...args, '--org', 'acme', '--object', 'people']),
    write,
    /** Creates Ada Lovelace and Ada King. @returns their ids */
    async createAdas(): Promise<[string, string]> {
      const records = ['Ada Lovelace', 'Ada King'].map((name) => ({ data: { name } }))
      const { results } = await write({ records })
      return [results[0]?.id ?? '', results[1]?.id ?? '']
    },
    titlesOf: (ids: readonly string[]) =>
      pool.many<{ title: string | null }>(sql`
        select data->>'job_title' as title from records where org = ${org} and id = any(${ids}::uuid[]) order by id`),
  }
}
