import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { Building2, MoreHorizontal, Plus } from 'lucide-react'
import { WithReason } from '../ui/allowed.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { GalleryButton } from '../ui/gallery-button.tsx'
import { Section } from '../ui/sections.tsx'

const nothing = () => undefined

function Kinds() {
  return (
    <Group gap={8}>
      <Button leftSection={<Plus size={14} aria-hidden />}>Primary</Button>
      <Button variant="default">Default</Button>
      <Button variant="subtle">Subtle</Button>
      <Button color="red.8">Danger</Button>
      <Button loading>Saving</Button>
      <Button disabled>Disabled</Button>
      <WithReason reason="Ask an administrator: members cannot delete objects">
        <Button data-disabled aria-disabled variant="default" onClick={nothing}>
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
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label="More actions">
            <MoreHorizontal size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>Rename</Menu.Item>
          <Menu.Item color="red">Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
