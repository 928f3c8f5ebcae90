import { SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import { Page } from '../ui/page.tsx'
import { Buttons } from './buttons.tsx'
import { Charts } from './charts.tsx'
import { Colors } from './colors.tsx'
import { Fields } from './fields.tsx'
import { Labels } from './labels.tsx'
import { Layers } from './layers.tsx'
import { Pickers } from './pickers.tsx'
import { States } from './states.tsx'
import { Tables } from './tables.tsx'
import { Texts } from './texts.tsx'

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
] as const

function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Color scheme"
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={setColorScheme}
    />
  )
}

export function DesignPage() {
  return (
    <main>
      <Page title="Components" actions={<Scheme />}>
        <Stack gap={40}>
          <Texts />
          <Colors />
          <Buttons />
          <Fields />
          <Pickers />
          <Labels />
          <Tables />
          <Charts />
          <States />
          <Layers />
        </Stack>
      </Page>
    </main>
  )
}
