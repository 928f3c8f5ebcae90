import { Filter } from 'lucide-react'
import { conditionWords } from '../canvas/value-words.ts'
import { named, type StepView } from './step-view.ts'

export const condition: StepView = {
  icon: Filter,
  title: 'Continue only if',
  summary: ({ when }) => named(conditionWords(when) || 'No condition yet'),
}
