// The content of the demo organization, written with the service functions that requests use.
import { createActivity } from '../activities/service.ts'
import type { Caller } from '../base/caller.ts'
import type { Context } from '../context.ts'
import { getObject } from '../model/objects/store.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { createView } from '../views/service.ts'
import { addDemoAttributes } from './attributes.ts'
import { createReports, createWorkflows } from './automation.ts'
import { makePipeline, type Pipeline } from './pipeline.ts'
import { readCompanies, readPeople } from './real-data.ts'

type Data = Record<string, unknown>

/** Creates all records. @returns their ids, in the order of the rows */
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

/** User ids. The first is the demo user. */
type Sellers = readonly string[]

interface Making {
  caller: Caller
  pipeline: Pipeline
  sellers: Sellers
}

async function createPipeline(ctx: Context, { caller, pipeline, sellers }: Making): Promise<Ids> {
  const companies = await create(
    ctx,
    caller,
    'companies',
    pipeline.companies.map(({ data, owner }) => ({ ...data, owner: at(sellers, owner) })),
  )
  const people = await create(
    ctx,
    caller,
    'people',
    pipeline.people.map(({ data, company, owner }) => ({
      ...data,
      company: at(companies, company),
      owner: at(sellers, owner),
    })),
  )
  const deals = await create(
    ctx,
    caller,
    'deals',
    pipeline.deals.map(({ data, company, owner, people: [contact = 0, ...others] }) => ({
      ...data,
      owner: at(sellers, owner),
      company: at(companies, company),
      contact: at(people, contact),
      ...(others.length > 0 && { stakeholders: others.map((one) => at(people, one)) }),
    })),
  )
  return { companies, people, deals }
}

type Link = (deal: number) => { objectId: string; recordId: string }[]

/** The links of an activity about a deal: the deal, its company and its contact. */
async function linksOf(ctx: Context, { caller, pipeline }: Making, ids: Ids): Promise<Link> {
  const objectIds = new Map<string, string>()
  for (const slug of ['companies', 'people', 'deals'])
    objectIds.set(slug, (await getObject(ctx.db, caller.org, slug)).id)
  const link = (slug: string, recordId: string) => ({ objectId: objectIds.get(slug) ?? '', recordId })
  return (deal) => {
    const { company = 0, people: [contact = 0] = [] } = pipeline.deals[deal] ?? {}
    return [
      link('deals', at(ids.deals, deal)),
      link('companies', at(ids.companies, company)),
      link('people', at(ids.people, contact)),
    ]
  }
}

async function createActivities(ctx: Context, making: Making, { people }: Ids, links: Link): Promise<void> {
  const { caller, pipeline, sellers } = making
  for (const { deal, type, title, summary, at: date } of [...pipeline.activities, ...pipeline.appointments]) {
    const { owner = 0, people: [contact = 0] = [] } = pipeline.deals[deal] ?? {}
    const userId = at(sellers, owner)
    await createActivity(
      ctx,
      { ...caller, userId },
      {
        type,
        title,
        summary,
        activityDate: date.toISOString(),
        linkedRecords: links(deal),
        participants: [
          { type: 'user', id: userId },
          { type: 'person', id: at(people, contact) },
        ],
      },
    )
  }
}

async function createTasks(ctx: Context, { caller, pipeline, sellers }: Making, links: Link): Promise<void> {
  for (const { deal, title, dueAt, isDone } of pipeline.tasks)
    await createActivity(ctx, caller, {
      type: 'task',
      title,
      activityDate: dueAt.toISOString(),
      completedAt: isDone ? dueAt.toISOString() : null,
      assignee: at(sellers, pipeline.deals[deal]?.owner ?? 0),
      linkedRecords: links(deal),
    })
}

/** A view for all members, shown in the sidebar. To be called when the deals have their attributes. */
const createDemoViews = (ctx: Context, caller: Caller) =>
  createView(ctx, caller, 'deals', {
    name: 'Pipeline',
    kind: 'board',
    isShared: true,
    state: { version: 1, columns: [], board: { groupBy: 'stage', sumOf: 'amount' } },
  })

/**
 * Fills a new organization that has its standard objects.
 * @param ctx db: the transaction that makes the organization
 * @param colleagues user ids of the other members, who own a part of the records
 */
export async function fillDemo(ctx: Context, caller: Caller, colleagues: readonly string[]): Promise<void> {
  await addDemoAttributes(ctx, caller.org)
  await create(ctx, caller, 'companies', await readCompanies())
  await create(ctx, caller, 'people', await readPeople())
  await createWorkflows(ctx, caller)
  const pipeline = makePipeline(ctx.clock.now())
  const making = { caller, pipeline, sellers: [caller.userId, ...colleagues] }
  const ids = await createPipeline(ctx, making)
  const links = await linksOf(ctx, making, ids)
  await createActivities(ctx, making, ids, links)
  await createTasks(ctx, making, links)
  await createDemoViews(ctx, caller)
  await createReports(ctx, caller)
}
