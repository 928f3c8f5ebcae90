import { Clock } from 'lucide-react'
import { valueWords } from '../canvas/value-words.ts'
import { secondsWords } from '../seconds-words.ts'
import type { Config, StepView } from './step-view.ts'

function summary({ seconds, until, timeOfDay }: Config): string {
  const at = timeOfDay === undefined ? '' : ` at ${String(timeOfDay)}`
  if (until === '') return 'No time yet'
  if (until !== undefined) return `Wait until ${valueWords(until)}${at}`
  if (typeof seconds === 'number') return `Wait ${secondsWords(seconds)}`
  return at ? `Wait until${at.replace(' at', '')}` : 'Wait'
}

export const delay: StepView = {
  icon: Clock,
  title: 'Wait',
  summary,
}
