import { Repeat } from 'lucide-react'
import { foundWords, valueWords } from '../canvas/value-words.ts'
import { type Config, isMissing, type StepView } from './step-view.ts'

function summary({ items, as }: Config): string {
  if (isMissing(items)) return 'No list yet'
  const item = String(as || 'item')
  return `For each ${foundWords(items, item) ?? `${item} of ${valueWords(items)}`}`
}

export const forEach: StepView = {
  icon: Repeat,
  title: 'For each',
  summary,
}
