import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { field, type StepContract } from './fields.ts'

export const sendEmail: StepContract = {
  group: 'Send',
  description: 'To one or more addresses',
  keywords: 'mail message',
  key: 'email',
  config: StrictObject({
    to: Type.Union([
      Type.String({ minLength: 1, maxLength: 2000, ...field('template', 'To') }),
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { minItems: 1, maxItems: 10 }),
    ]),
    subject: Type.String({ minLength: 1, maxLength: 1000, ...field('template', 'Subject') }),
    text: Type.String({ minLength: 1, maxLength: 100_000, ...field('longTemplate', 'Text') }),
  }),
  defaults: { to: '', subject: '', text: '' },
  outputs: { messageId: 'any' },
}
