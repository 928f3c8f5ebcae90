// The icon of each type of chart.
import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  ChartScatter,
  Donut,
  Filter,
  Hash,
  type LucideIcon,
  Table2,
} from 'lucide-react'
import type { ChartType } from '../../../../contract/report-states.ts'

export const CHART_ICONS: Readonly<Record<ChartType, LucideIcon>> = {
  bar: ChartColumn,
  stacked_bar: ChartColumnStacked,
  line: ChartLine,
  area: ChartArea,
  pie: ChartPie,
  donut: Donut,
  scatter: ChartScatter,
  number: Hash,
  funnel: Filter,
  table: Table2,
}
