// Data for screenshots of workflows: a workflow with a branch and a loop, and runs on deals of the demo.
import type { APIRequestContext } from 'playwright-core'
import type { WorkflowRun } from '../../contract/workflows.ts'

export interface WorkflowPlaces {
  /** Path of the editor, with an open step. */
  editor: string
  /** Path of a run through the branch and the loop. */
  run: string
}

const BIG = {
  key: 'isBig',
  type: 'branch',
  config: {
    branches: [
      {
        name: 'big',
        when: { left: '{{trigger.data.amount}}', operator: 'greaterThan', right: 20_000 },
        steps: [
          {
            key: 'each',
            type: 'for_each',
            config: {
              items: '{{steps.contacts.records}}',
              as: 'person',
              steps: [
                {
                  key: 'thanks',
                  type: 'create_activity',
                  config: {
                    type: 'task',
                    title: 'Say thanks to {{person.data.name.firstName}}',
                    linkedRecords: [{ objectId: 'people', recordId: '{{person.id}}' }],
                  },
                },
              ],
            },
          },
        ],
      },
    ],
    else: [{ key: 'small', type: 'stop', config: { message: 'A small deal' } }],
  },
}

const DEFINITION = {
  trigger: 'record/updated',
  triggerConfig: {
    objectId: 'deals',
    watch: ['stage'],
    filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
  },
  steps: [
    {
      key: 'contacts',
      type: 'find_records',
      config: {
        object: 'people',
        filter: {
          and: [{ attributeSlug: 'company', operator: 'equals', value: '{{trigger.data.company}}' }],
        },
        limit: 5,
      },
    },
    BIG,
    {
      key: 'note',
      type: 'create_activity',
      config: {
        title: 'Won: {{trigger.data.name}}',
        linkedRecords: [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }],
      },
    },
  ],
}

/** The number of big deals that are won. */
const WON = 5
const LOOK_AGAIN_MS = 200

/** @param organization path of the organization in the dashboard's API; page: path of its pages */
export async function makeWorkflows(
  request: APIRequestContext,
  { organization, page }: { organization: string; page: string },
): Promise<WorkflowPlaces> {
  const read = async (path: string) => (await request.get(`${organization}${path}`)).json()
  const draft = { name: 'Big deal won', definition: DEFINITION }
  const { id } = await (await request.post(`${organization}/workflows`, { data: draft })).json()
  await request.patch(`${organization}/workflows/${id}`, { data: { enabled: true } })
  const { records } = await read(
    `/objects/deals/records?limit=${WON}&filter[stage][equals]=Qualified&filter[amount][greaterThan]=20000`,
  )
  const won = { stage: 'Won', close_date: new Date().toISOString().slice(0, 10) }
  for (const record of records)
    await request.patch(`${organization}/objects/deals/records/${record.id}`, { data: { data: won } })
  let ended: WorkflowRun[] = []
  while (ended.length < records.length) {
    const { runs } = await read(`/workflows/${id}/runs?limit=100`)
    ended = runs.filter(({ status }: WorkflowRun) => status === 'completed')
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  const path = `${page}/workflows/${id}`
  return { editor: `${path}/edit`, run: `${path}/runs/${ended[0]?.id}` }
}
