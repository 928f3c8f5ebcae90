import { expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'

const service = await buildTestService()
const { ctx } = service

test('a record that is created starts a workflow, which creates another', async () => {
  const org = await service.org()
  const made = await insertWorkflow(ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'companies' },
    steps: [
      step(
        'create_record',
        { object: 'people', data: { name: { firstName: '{{trigger.data.name}}' } } },
        { key: 'person' },
      ),
      step('update_record', {
        object: 'people',
        recordId: '{{steps.person.id}}',
        data: { company: '{{trigger.recordId}}' },
      }),
    ],
  })
  const { body } = await org.post('/objects/companies/records', { data: { name: 'Acme' } })
  await service.runWorkflows()
  const [run] = await runsOf(ctx, made)
  expect(run).toMatchObject({ status: 'completed', title: `${made.name} – Acme`, error: null, executed: 2 })
  expect(run && (await stepsOf(ctx, run))).toMatchObject([
    { path: 'steps[0]', status: 'completed' },
    { path: 'steps[1]', status: 'completed' },
  ])
  console.log(body)
})
