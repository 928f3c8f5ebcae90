import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { Building2, Plus } from 'lucide-react'
import { WithReason } from '../ui/allowed.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { GalleryButton } from '../ui/gallery-button.tsx'
import { held } from '../ui/held.ts'
import { MoreMenu } from '../ui/more-menu.tsx'
import { Section } from '../ui/sections.tsx'

const nothing = () => undefined

const REASON = 'Ask an administrator: members cannot delete objects'

function Kinds() {
  return (
    <Group gap={8}>
      <Button leftSection={<Plus size={14} aria-hidden />}>Primary</Button>
      <Button variant="default">Default</Button>
      <Button variant="subtle">Subtle</Button>
      <Button color="red.8">Danger</Button>
      <Button loading>Saving</Button>
      <Button disabled>Disabled</Button>
      <WithReason reason={REASON}>
        <Button variant="default" {...held(REASON, nothing)}>
          Not allowed
        </Button>
      </WithReason>
    </Group>
  )
}

function Icons() {
  return (
    <Group gap={8}>
      <ActionIcon aria-label="Add">
        <Plus size={16} aria-hidden />
      </ActionIcon>
      <CopyButton value="rec_1" label="Copy the id" />
      <MoreMenu>
        <Menu.Item>Rename</Menu.Item>
        <Menu.Item color="red">Delete</Menu.Item>
      </MoreMenu>
    </Group>
  )
}

export function Buttons() {
  return (
    <Section title="Buttons">
      <Kinds />
      <Icons />
      <GalleryButton
        icon={<Building2 size={20} aria-hidden />}
        title="A template of a gallery"
        texts={['What it does, in a sentence.']}
        onClick={nothing}
      />
    </Section>
  )
}
