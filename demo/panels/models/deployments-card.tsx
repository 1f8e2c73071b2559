import { useSignal } from "@preact/signals";
import type { Deployment } from "infetch/models";
import { reasonOf } from "../../store/loadable.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Card } from "../../ui/panel.tsx";
import { Failure } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { deleteDeployment, deployments } from "./store.ts";

/** List of deployments; hidden if there are none. */
export function DeploymentsCard() {
  const problem = useSignal("");
  const remove = async (name: string): Promise<void> => {
    problem.value = await deleteDeployment(name).then(() => "", reasonOf);
  };
  const { content } = deployments;
  if (content.value.state === "failed") {
    return <Failure reason={content.value.reason} onRetry={() => void deployments.refresh()} />;
  }
  const all = deployments.value ?? [];
  if (all.length === 0) return null;
  return (
    <Card title="Deployments">
      <p class="soft small-text">
        Models under your own names, with their own context and engine. Billed in the tier “dedicated”.
      </p>
      {problem.value === "" ? null : <Failure reason={problem.value} />}
      <DeploymentTable all={all} onDelete={(name) => void remove(name)} />
    </Card>
  );
}

interface TableProps {
  all: readonly Deployment[];
  onDelete: (name: string) => void;
}

function DeploymentTable({ all, onDelete }: TableProps) {
  return (
    <Table
      label="List of deployments"
      columns={["Name", "Model", { number: "Context" }, "Engine", "Keep loaded", { hidden: "Actions" }]}
    >
      {all.map(({ name, model, contextWindow, engine, keepLoaded }) => (
        <tr key={name}>
          <td class="breakable">{name}</td>
          <td class="breakable">{model}</td>
          <td class="number">{contextWindow?.toLocaleString("en") ?? "its own"}</td>
          <td>{engine ?? "the best"}</td>
          <td>{keepLoaded ? "yes" : "no"}</td>
          <td class="number">
            <ConfirmButton label={`Delete ${name}`} onConfirm={() => onDelete(name)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
