import { Group } from '@mantine/core'
import { Section } from '../ui/sections.tsx'
import { SmallBars, SmallLine } from '../ui/small-chart.tsx'

const VALUES = [3, 5, 2, 8, 13, 9, 0, 4, 6, 11, 7, 10]
const BARS = VALUES.map((value, index) => ({
  key: `${index}`,
  title: `Hour ${index}: ${value}`,
  up: value,
  down: index % 4,
}))
const LINE = VALUES.map((value, index) => ({
  key: `${index}`,
  title: `Hour ${index}: ${value}`,
  value: index === 6 ? null : value,
}))

export function Charts() {
  return (
    <Section title="Small charts" description="Next to numbers. Charts of reports are drawn by their pages.">
      <Group gap={32}>
        <SmallBars steps={BARS} label="Deliveries by hour" />
        <SmallLine steps={LINE} label="Milliseconds by hour" />
        <SmallBars steps={[]} label="No deliveries" />
      </Group>
    </Section>
  )
}
