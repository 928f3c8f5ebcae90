import { Type } from 'typebox'
import { closed, field, type StepContract } from './fields.ts'

export const fail: StepContract = {
  config: Type.Object(
    { message: Type.String({ minLength: 1, maxLength: 2000, ...field('template', 'Why') }) },
    closed,
  ),
  outputs: {},
}
