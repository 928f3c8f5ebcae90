import { mustBeGiven } from '../../../contract/default-values.ts'
import { createRecord as insertRecord } from '../../records/write/service.ts'
import type { KnownObject } from '../check/known.ts'
import { checkDataOf, type StepCheck, writableObject } from '../check/record-checks.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { createsMissing, objectOf, stepData, written } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function checkRequired(object: KnownObject, { config: { data }, path, report }: StepCheck): void {
  if (!isPlainObject(data)) return
  for (const attribute of object.attributes) {
    const { slug, name } = attribute
    if (mustBeGiven(attribute) && !Object.hasOwn(data, slug))
      report.add(`${path}.data.${slug}`, 'required', `${name} is required: give it a value`)
  }
}

function check(check: StepCheck): void {
  const object = writableObject(check)
  checkDataOf(object, check)
  if (object) checkRequired(object, check)
}

async function perform(work: StepWork) {
  const { ctx, caller } = work
  const sent = { data: stepData(work), createMissing: createsMissing(work) }
  return written(await insertRecord(ctx, caller, await objectOf(work), sent))
}

export const createRecord: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { object: 'people', data: { name: 'Ada Lovelace', age: '{{1 | plus 1}}', stage: 'Won' } },
}
