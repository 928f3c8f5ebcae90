// Chooses the type of the chart and its axes.
import { Group, Text } from '@mantine/core'
import { type LucideIcon, Sparkles } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { CHART_TYPES, type ChartType } from '../../../../contract/report-states.ts'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { Select } from '../../../ui/select.tsx'
import { CHART_NAMES } from '../chart/drawing.ts'
import { CHART_ICONS } from '../page/chart-icons.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'
import { type Chart, isRows } from './builder-state.ts'
import { type ColumnName, columnNames } from './column-names.ts'
import { problemWords } from './problem-places.ts'

/** Shown when nothing is chosen. */
const AUTOMATIC = 'Automatic'

function Kind(props: { name: string; label: string; icon: LucideIcon; isChosen: boolean; onChoose(): void }) {
  const { icon: Icon } = props
  return (
    <label className={classes.kind} data-current={props.isChosen || undefined} title={props.label}>
      <input
        type="radio"
        className="visually-hidden"
        aria-label={props.label}
        name={props.name}
        checked={props.isChosen}
        onChange={props.onChoose}
      />
      <Icon size={15} aria-hidden />
      <Text span inherit visibleFrom="sm">
        {props.label}
      </Text>
    </label>
  )
}

function Kinds() {
  const { draft, act } = useBuilder()
  const name = useId()
  const { chart } = draft
  const choose = (type: ChartType) => act({ does: 'chart', chart: { ...chart, type } })
  return (
    <fieldset className="flex wrap gap-2">
      <legend className="visually-hidden">Chart</legend>
      <Kind
        name={name}
        label={AUTOMATIC}
        icon={Sparkles}
        isChosen={chart === undefined}
        onChoose={() => act({ does: 'chart', chart: undefined })}
      />
      {CHART_TYPES.map((type) => (
        <Kind
          key={type}
          name={name}
          label={CHART_NAMES[type].replace(/ chart$/, '')}
          icon={CHART_ICONS[type]}
          isChosen={chart?.type === type}
          onChoose={() => choose(type)}
        />
      ))}
    </fieldset>
  )
}

interface ChartFields {
  /** Label of the field for groups; undefined: the chart has no groups. */
  x: string | undefined
  y: string
  hasManyY: boolean
  hasSeries: boolean
}

const AXES_XY: ChartFields = { x: 'X axis', y: 'Y axis', hasManyY: true, hasSeries: true }
const SLICES: ChartFields = { x: 'Slices', y: 'Values', hasManyY: false, hasSeries: false }

/** The fields of each type of chart. */
const FIELDS: Readonly<Record<ChartType, ChartFields | undefined>> = {
  bar: AXES_XY,
  stacked_bar: AXES_XY,
  line: AXES_XY,
  area: AXES_XY,
  pie: SLICES,
  donut: SLICES,
  scatter: { ...AXES_XY, hasManyY: false },
  number: { ...SLICES, x: undefined, y: 'Measure' },
  funnel: { ...SLICES, x: 'Steps' },
  table: undefined,
}

const dataOf = (names: readonly ColumnName[]) => names.map(({ key, name }) => ({ value: key, label: name }))

interface AxesProps {
  chart: Chart
  names: readonly ColumnName[]
  change(patch: { [Key in keyof Chart]?: Chart[Key] | undefined }): void
}

function Measured({ chart, names, fields, change }: AxesProps & { fields: ChartFields }) {
  const shared = { size: 'xs' as const, 'aria-label': fields.y, placeholder: AUTOMATIC, clearable: true }
  const y = chart.y ?? []
  if (fields.hasManyY)
    return (
      <MultiPicker
        {...shared}
        miw={190}
        maw={400}
        // Keeps the chosen value and the search input on one line.
        styles={{ inputField: { minWidth: 24 } }}
        data={dataOf(names)}
        value={y}
        placeholder={y.length > 0 ? undefined : shared.placeholder}
        onChange={(keys) => change({ y: keys.length > 0 ? keys : undefined })}
      />
    )
  return (
    <Select
      {...shared}
      w={190}
      data={dataOf(names)}
      value={y[0] ?? null}
      onChange={(key) => change({ y: key === null ? undefined : [key] })}
    />
  )
}

function Axis({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text span c="dimmed" miw={44} className="nowrap">
        {name}
      </Text>
      {children}
    </Group>
  )
}

function Axes({ chart, names, change }: AxesProps) {
  const fields = FIELDS[chart.type]
  const { draft } = useBuilder()
  if (!fields) return null
  const measures = isRows(draft) ? names : names.filter(({ isMeasure }) => isMeasure)
  const others =
    isRows(draft) || chart.type === 'scatter' ? names : names.filter(({ isMeasure }) => !isMeasure)
  const one = {
    size: 'xs' as const,
    w: 190,
    clearable: true,
    data: dataOf(others),
    placeholder: AUTOMATIC,
  }
  return (
    <Group gap="8px 16px">
      {fields.x !== undefined && (
        <Axis name={fields.x}>
          <Select
            {...one}
            aria-label={fields.x}
            value={chart.x ?? null}
            onChange={(key) => change({ x: key ?? undefined })}
          />
        </Axis>
      )}
      <Axis name={fields.y}>
        <Measured {...{ chart, change, fields }} names={measures} />
      </Axis>
      {fields.hasSeries && (
        <Axis name="Color">
          <Select
            {...one}
            aria-label="Color"
            value={chart.series ?? null}
            onChange={(key) => change({ series: key ?? undefined })}
          />
        </Axis>
      )}
    </Group>
  )
}

export function ChartChoice() {
  const { draft, act, objects, fields, problemsOf } = useBuilder()
  const { chart } = draft
  const change: AxesProps['change'] = (patch) => {
    if (!chart) return
    const entries = Object.entries({ ...chart, ...patch }).filter(([, value]) => value !== undefined)
    act({ does: 'chart', chart: Object.fromEntries(entries) as Chart })
  }
  return (
    <Group gap="8px 24px" px={16} py={8} className="fixed">
      <Kinds />
      {chart && <Axes chart={chart} names={columnNames(draft, { objects, fields })} change={change} />}
      {problemsOf('chart').map((problem) => (
        <Text key={problem.path} c="var(--danger)">
          {problemWords(problem)}
        </Text>
      ))}
    </Group>
  )
}
