import { Search } from 'lucide-react'
import { formatCount } from '../../../../contract/counted.ts'
import { conditionWords } from '../canvas/value-words.ts'
import type { NameOf } from '../node-names.ts'
import { type Config, plural, type StepView } from './step-view.ts'

function summary(config: Config, nameOf: NameOf): string {
  const where = conditionWords(config.filter)
  const limit = typeof config.limit === 'number' ? config.limit : 20
  return `Find up to ${formatCount(limit)} ${plural(config, nameOf)}${where ? ` where ${where}` : ''}`
}

export const findRecords: StepView = {
  icon: Search,
  title: 'Find records',
  summary,
}
