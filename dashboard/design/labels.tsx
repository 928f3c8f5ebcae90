import { Group } from '@mantine/core'
import { Check, Clock, TriangleAlert } from 'lucide-react'
import { Avatar } from '../ui/avatar.tsx'
import { Section } from '../ui/sections.tsx'
import { ColumnTime, TimeAgo } from '../ui/time.tsx'
import { ToneChip } from '../ui/tone-chip.tsx'

const SIZES = [16, 20, 24, 48, 64] as const
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

function Avatars({ isRound }: { isRound: boolean }) {
  return (
    <Group gap={8}>
      {SIZES.map((size) => (
        <Avatar key={size} name="Ada Lovelace" src={null} size={size} isRound={isRound} />
      ))}
    </Group>
  )
}

export function Labels() {
  return (
    <Section title="Labels" description="States, people, organizations and times.">
      <Group gap={8}>
        <ToneChip word="Delivered" tone="good" icon={Check} />
        <ToneChip word="Waiting" tone="warning" icon={Clock} />
        <ToneChip word="Failed" tone="danger" icon={TriangleAlert} />
      </Group>
      <Avatars isRound />
      <Avatars isRound={false} />
      <Group gap={24}>
        <TimeAgo value={ago(0)} />
        <TimeAgo value={ago(90)} />
        <TimeAgo value={ago(60 * 24 * 40)} />
        <ColumnTime value={ago(90)} />
      </Group>
    </Section>
  )
}
