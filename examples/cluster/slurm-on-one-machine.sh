#!/bin/sh
# Starts Slurm on this machine alone, to try worker.sbatch. It needs the rights of root and Debian's packages slurm-wlm and
# munge, and listens on 127.0.0.1. Everything is in a new folder, whose name is printed with the variable that Slurm's
# commands need.
set -eu
folder=$(mktemp -d)
host=$(hostname -s)
mkdir "$folder/state" "$folder/spool" "$folder/munge"
chmod 755 "$folder" "$folder/munge"
cat >"$folder/slurm.conf" <<END
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 400 "$folder/munge/key"
munged --force --socket="$folder/munge/socket" --key-file="$folder/munge/key" --pid-file="$folder/munge/pid" \
  --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
slurmctld -f "$folder/slurm.conf"
slurmd -f "$folder/slurm.conf"
echo "export SLURM_CONF=$folder/slurm.conf"
echo "# to end it: kill \$(cat $folder/slurmd.pid $folder/slurmctld.pid $folder/munge/pid)"
