import { ChartColumn } from 'lucide-react'
import type { StepView } from './step-view.ts'

export const runReport: StepView = {
  icon: ChartColumn,
  title: 'Run report',
  summary: () => 'Run a report and pass on its rows',
}
