import { later } from '../../ui/later.tsx'

export const ConditionForm = later(async () => (await import('./condition-form.tsx')).ConditionForm)
