// The list of all shortcuts.
import { Group, Kbd } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './shortcut-list.module.css'
import { keyName, type Section } from './shortcuts.ts'

/** Render it while it is open. */
export function Shortcuts({ sections, onClose }: { sections: readonly Section[]; onClose(): void }) {
  return (
    <Dialog onClose={onClose} title="Shortcuts" size={640}>
      <div className={classes.sections}>
        {sections.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="muted tiny">{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <Group key={does} className="small" justify="space-between" wrap="nowrap" gap={12} mih={30}>
                  <dt>{does}</dt>
                  <dd className="flex fixed gap-4">
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {keyName(key)}
                      </Kbd>
                    ))}
                  </dd>
                </Group>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
