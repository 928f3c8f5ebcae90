import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { insertWorkflow, runsOf, step } from '../workflow.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const quiet = [step('set_variables', { variables: { seen: true } })]

test('a filter follows references to the current values of the records', async () => {
  const org = await service.org()
  const create = async (data: object, object = 'companies') =>
    (await org.post<{ id: string }>(`/objects/${object}/records`, { data })).body.id
  const leaf = (attributeSlug: string, operator: string, value: unknown) => ({
    ...{ attributeSlug, operator, value },
  })
  const [large, small, deleted] = [
    await create({ name: 'Large', employees: 500 }),
    await create({ name: 'Small', employees: 5 }),
    await create({ name: 'Deleted', employees: 900 }),
  ]
  const trigger = (filter: object) =>
    insertWorkflow(ctx, org, {
      ...{ trigger: 'record/created', triggerConfig: { objectId: 'deals', filter }, steps: quiet },
    })
  const made = [
    await trigger(leaf('company.employees', 'greaterThan', 100)),
    await trigger({ not: leaf('company.employees', 'greaterThan', 100) }),
    await trigger(leaf('contact.company.name', 'equals', 'Large')),
    await trigger(leaf('company.created_by', 'isNotEmpty', true)),
  ]
  const contact = await create({ name: 'Ada Lovelace', company: large }, 'people')
  const deals = [
    await create({ name: 'A', company: large }, 'deals'),
    await create({ name: 'B', company: small, contact }, 'deals'),
    await create({ name: 'C', company: deleted }, 'deals'),
    await create({ name: 'D' }, 'deals'),
  ]
  await org.delete(`/objects/companies/records/${deleted}`)
  await service.runWorkflows()
  const subjects = await Promise.all(
    made.map(async (one) => (await runsOf(ctx, one)).map(({ subject }) => deals.indexOf(subject ?? ''))),
  )
  expect(subjects).toEqual([[0], [1, 2, 3], [1], [0, 1]])
})
