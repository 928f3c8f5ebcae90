// Offers what was typed before the form was left.
import { Button, Group, Text } from '@mantine/core'
import type { MouseEvent } from 'react'

interface DraftOfferProps {
  onRestore(): void
  onDiscard(): void
}

const FIELD = 'input:not([type=hidden], [type=radio], [type=checkbox]), textarea'

/** The offer is gone then: the first field of the form has the focus. */
const thenFocus =
  (act: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    act()
    requestAnimationFrame(() => form?.querySelector<HTMLElement>(FIELD)?.focus())
  }

/** Render it in the form. */
export function DraftOffer({ onRestore, onDiscard }: DraftOfferProps) {
  return (
    <section className="row wrap gap-8 box sunken" aria-label="Draft">
      <Text flex={1}>You have an unsaved draft.</Text>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={thenFocus(onDiscard)}>
          Discard
        </Button>
        <Button onClick={thenFocus(onRestore)}>Restore draft</Button>
      </Group>
    </section>
  )
}
