import { CircleStop } from 'lucide-react'
import { named, type StepView } from './step-view.ts'

export const stop: StepView = {
  icon: CircleStop,
  title: 'Stop',
  summary: ({ message }) => (message ? named(message) : 'End the run here'),
  endsRun: true,
}
