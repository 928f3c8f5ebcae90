// What the demo organization holds, written by the service functions that requests use.
import { createActivity } from '../activities/service.ts'
import type { Caller, Context } from '../context.ts'
import { getObject } from '../objects/store.ts'
import { bulkWrite } from '../records/bulk.ts'
import { addDemoAttributes } from './attributes.ts'
import { makePipeline, type Pipeline } from './pipeline.ts'
import { readCompanies, readPeople } from './real-data.ts'

type Data = Record<string, unknown>

/** Creates the records, all of them. @returns their ids, in order */
async function create(
  ctx: Context,
  caller: Caller,
  object: string,
  rows: readonly Data[],
): Promise<string[]> {
  const records = rows.map((data) => ({ data }))
  const { results } = await bulkWrite(ctx, caller, object, { mode: 'create', records, allOrNone: true })
  return results.map(({ id }) => id ?? '')
}

interface Ids {
  companies: readonly string[]
  people: readonly string[]
  deals: readonly string[]
}

const at = (ids: readonly string[], place: number): string => {
  const id = ids[place]
  if (id === undefined) throw new Error('The pipeline names a record it does not have')
  return id
}

async function createPipeline(ctx: Context, caller: Caller, pipeline: Pipeline): Promise<Ids> {
  const companies = await create(
    ctx,
    caller,
    'companies',
    pipeline.companies.map(({ data }) => data),
  )
  const people = await create(
    ctx,
    caller,
    'people',
    pipeline.people.map(({ data, company }) => ({ ...data, company: at(companies, company) })),
  )
  const deals = await create(
    ctx,
    caller,
    'deals',
    pipeline.deals.map(({ data, company, people: [contact = 0, ...others] }) => ({
      ...data,
      company: at(companies, company),
      contact: at(people, contact),
      ...(others.length > 0 && { stakeholders: others.map((one) => at(people, one)) }),
    })),
  )
  return { companies, people, deals }
}

async function createActivities(ctx: Context, caller: Caller, pipeline: Pipeline, ids: Ids): Promise<void> {
  const objectIds = new Map<string, string>()
  for (const slug of ['companies', 'people', 'deals'])
    objectIds.set(slug, (await getObject(ctx.db, caller.org, slug)).id)
  const link = (slug: string, recordId: string) => ({ objectId: objectIds.get(slug) ?? '', recordId })
  for (const { deal, type, title, summary, at: moment } of pipeline.activities) {
    const { company = 0, people: [contact = 0] = [] } = pipeline.deals[deal] ?? {}
    const person = at(ids.people, contact)
    await createActivity(ctx, caller, {
      type,
      title,
      summary,
      activityDate: moment.toISOString(),
      linkedRecords: [
        link('deals', at(ids.deals, deal)),
        link('companies', at(ids.companies, company)),
        link('people', person),
      ],
      participants: [
        { type: 'user', id: caller.userId },
        { type: 'person', id: person },
      ],
    })
  }
}

/** Fills a new organization that has its standard objects. `ctx.db`: the transaction that makes the organization. */
export async function fillDemo(ctx: Context, caller: Caller): Promise<void> {
  await addDemoAttributes(ctx, caller.org)
  await create(ctx, caller, 'companies', await readCompanies())
  await create(ctx, caller, 'people', await readPeople())
  const pipeline = makePipeline(ctx.clock.now())
  await createActivities(ctx, caller, pipeline, await createPipeline(ctx, caller, pipeline))
}
