import { Split } from 'lucide-react'
import { listFormat } from '../../../../contract/language.ts'
import { conditionWords } from '../canvas/value-words.ts'
import type { Config, StepView } from './step-view.ts'

const or = listFormat({ type: 'disjunction' })

function summary({ branches }: Config): string {
  const list = Array.isArray(branches) ? branches : []
  const [first] = list
  const words = conditionWords(first?.when)
  if (list.length === 1) return words ? `If ${words}` : 'No condition yet'
  return `${or.format(list.map((branch) => String(branch?.name ?? '…')))}, otherwise go on`
}

export const branch: StepView = {
  icon: Split,
  title: 'Branch',
  summary,
}
