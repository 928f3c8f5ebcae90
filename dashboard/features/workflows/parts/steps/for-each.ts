import { Repeat } from 'lucide-react'
import { valueWords } from '../canvas/value-words.ts'
import type { StepView } from './step-view.ts'

export const forEach: StepView = {
  icon: Repeat,
  title: 'For each',
  summary: ({ items, as }) => `For each ${String(as || 'item')} of ${valueWords(items)}`,
}
