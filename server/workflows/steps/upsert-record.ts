import { bulkWrite } from '../../records/bulk/service.ts'
import { getRecord } from '../../records/read/service.ts'
import { findAttribute } from '../check/known.ts'
import { checkDataOf, type StepCheck, writableObject } from '../check/record-checks.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import { createsMissing, objectOf, stepData, stepText, written } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function check(check: StepCheck): void {
  const object = writableObject(check)
  checkDataOf(object, check)
  const { matchOn, data } = check.config
  if (!object || typeof matchOn !== 'string') return
  const path = `${check.path}.matchOn`
  if (!findAttribute(object, matchOn)?.isUnique)
    check.report.add(path, 'not_unique', `must be a unique attribute of ${object.slug}`)
  else if (isPlainObject(data) && !Object.hasOwn(data, matchOn))
    check.report.add(path, 'required', `must have a value: add ${matchOn} to the values`)
}

async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  const { results, failed } = await bulkWrite(ctx, caller, object, {
    mode: 'upsert',
    matchOn: stepText(input['matchOn']),
    createMissing: createsMissing(work),
    records: [{ data: (stepData(work) ?? {}) as Record<string, unknown> }],
  })
  const [result] = results
  if (!result?.id) throw new StepFailure(failed[0]?.error ?? 'The record was neither created nor updated.')
  const record = written(await getRecord(ctx, caller, object, { recordId: result.id }))
  return { ...record, created: result.status === 'created' }
}

export const upsertRecord: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { object: 'people', matchOn: 'email', data: { email: 'a@x.org' } },
}
