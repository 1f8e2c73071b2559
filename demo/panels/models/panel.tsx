import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isBoundToOrigin, policy } from "../../store/content-policy.ts";
import { models } from "../../store/models.ts";
import { storage } from "../../store/storage.ts";
import { checkWebGPU } from "../../store/webgpu.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Note, WhenSettled } from "../../ui/states.tsx";
import { Catalogue } from "./catalogue.tsx";
import { DeploymentForm } from "./deployment-form.tsx";
import { DeploymentsCard } from "./deployments-card.tsx";
import { HUB_COMMAND } from "./hub-command.ts";
import { watchStats } from "./stats.ts";
import { StorageLine } from "./storage-line.tsx";
import { deployments, watchStorage } from "./store.ts";
import "./models.css";

export default function ModelsPanel() {
  const isDeploying = useSignal(false);
  const close = (): void => {
    isDeploying.value = false;
  };
  useEffect(() => {
    void models.refresh();
    void deployments.refresh();
    void checkWebGPU();
    void policy.refresh();
    const ends = [watchStats(), watchStorage()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return (
    <Panel
      title="Models"
      lead="Open models that run in this page. Built-in ones need no download; the others come from the hub when you load them, and stay on this device."
      actions={
        <button
          type="button"
          class="button"
          onClick={() => {
            isDeploying.value = true;
          }}
        >
          <Icon name="plus" />
          Deploy a model
        </button>
      }
    >
      <WhenSettled of={[models, deployments, storage, policy]} what="the models">
        {isBoundToOrigin.value ? (
          <Note>
            <p>
              This page may fetch from its own origin only, so it can load only the built-in models. For
              models of the hub, start the server with
              {HUB_COMMAND.flatMap((part) => [
                " ",
                <code key={part} class="command-part">
                  {part}
                </code>,
              ])}
            </p>
            <CopyButton text={HUB_COMMAND.join(" ")} what="command" labelled />
          </Note>
        ) : null}
        <StorageLine named={new Set((models.value ?? []).map(({ id }) => id))} />
        <DeploymentsCard />
        <Catalogue />
      </WhenSettled>
      {isDeploying.value ? (
        <Dialog title="Deploy a model" onClose={close}>
          <DeploymentForm onDone={close} />
        </Dialog>
      ) : null}
    </Panel>
  );
}
