import { Globe } from 'lucide-react'
import { valueWords } from '../canvas/value-words.ts'
import { type Config, isMissing, type StepView } from './step-view.ts'

function summary({ method = 'POST', url }: Config): string {
  if (isMissing(url)) return 'No address yet'
  const host = typeof url === 'string' ? URL.parse(url)?.host : undefined
  return `${String(method)} to ${host && !host.includes('{') ? host : valueWords(url)}`
}

export const httpRequest: StepView = {
  icon: Globe,
  title: 'HTTP request',
  summary,
}
