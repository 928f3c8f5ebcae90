import { FilePlus2 } from 'lucide-react'
import { oneOf } from '../node-names.ts'
import { type StepView, singular, withValues } from './step-view.ts'

export const createRecord: StepView = {
  icon: FilePlus2,
  title: 'Create record',
  summary: (config, nameOf) => withValues(`Create ${oneOf(singular(config, nameOf))}`, config.data),
}
