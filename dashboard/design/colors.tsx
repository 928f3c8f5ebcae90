import { Group } from '@mantine/core'
import { OPTION_COLORS } from '../../contract/option-colors.ts'
import { Chip, fillOf } from '../ui/chip.tsx'
import { Section } from '../ui/sections.tsx'

function Fill({ index }: { index: number }) {
  return <span style={{ width: 32, height: 32, borderRadius: 4, background: fillOf(index) }} aria-hidden />
}

export function Colors() {
  return (
    <Section title="Colors" description="Options of a select have a tint, series of a chart its fill.">
      <Group gap={8}>
        {OPTION_COLORS.map((color, index) => (
          <Chip key={color} index={index}>
            {color}
          </Chip>
        ))}
      </Group>
      <Group gap={8}>
        {OPTION_COLORS.map((color, index) => (
          <Fill key={color} index={index} />
        ))}
      </Group>
    </Section>
  )
}
