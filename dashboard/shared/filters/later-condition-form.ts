import { later } from '../../ui/later.tsx'
import type { Condition } from './filter.ts'

export const ConditionForm = later(
  async () => (await import('./condition-form.tsx')).ConditionForm<Condition>,
)
